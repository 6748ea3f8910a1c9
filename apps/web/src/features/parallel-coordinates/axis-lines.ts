import type { AxisRow, DrawnAxis } from './axis.ts'
import { placeOf } from './axis-scale.ts'

/** Units of the drawing, which is stretched to its area: the distance of axes, and its height. */
export const axisDistance = 100
export const plotHeight = 1_000
const [axisTop, axisBottom, noneAt] = [75, 865, 950]

/** Height of an axis position in the drawing; rows without a value are below the axis. */
export const heightOf = (place: number | undefined) => (place === undefined ? noneAt : axisBottom - place * (axisBottom - axisTop))
/** The axis position at a height in the drawing; below 0 or above 1 beyond the ends. */
export const placeAt = (height: number) => (axisBottom - height) / (axisBottom - axisTop)
export const axisX = (at: number) => (at + 0.5) * axisDistance

/** A row in the drawing. */
export interface AxisLine {
  row: AxisRow
  /** At each axis. */
  heights: readonly number[]
  /** Data of its path. */
  path: string
}

export function toLine(row: AxisRow, axes: readonly DrawnAxis[]): AxisLine {
  const heights = axes.map(({ id, scale }) => heightOf(placeOf(scale, row.values.get(id))))
  return { row, heights, path: heights.map((height, at) => `${at === 0 ? 'M' : 'L'}${axisX(at)} ${Number(height.toFixed(1))}`).join('') }
}

/** The line that is nearest above or below a point, within a distance. Undefined where none is. */
export function nearestLine(lines: readonly AxisLine[], { x, y }: { x: number; y: number }, within: number): AxisLine | undefined {
  let [nearest, least]: [AxisLine | undefined, number] = [undefined, within]
  for (const line of lines) {
    const distance = Math.abs(heightAt(line, x) - y)
    if (distance <= least) [nearest, least] = [line, distance]
  }
  return nearest
}

function heightAt({ heights }: AxisLine, x: number): number {
  const at = x / axisDistance - 0.5
  const left = Math.max(0, Math.min(heights.length - 1, Math.floor(at)))
  const [from = Number.NaN, to = from] = [heights[left], heights[left + 1]]
  return from + (to - from) * Math.max(0, Math.min(1, at - left))
}
