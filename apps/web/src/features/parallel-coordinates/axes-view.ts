import type { AxisOffer, AxisRow, DrawnAxis, AxisScale } from './axis.ts'
import { fits } from './axis-range.ts'
import { maxTexts, toScale } from './axis-scale.ts'
import { type AxesSearch, maxAxes } from './axes-search.ts'

/** Rows that are drawn. */
export const maxLines = 500

export interface AxesView {
  axes: DrawnAxis[]
  /** The axis whose values colour the lines. Undefined without any axis. */
  colour: DrawnAxis | undefined
  /** What of the address is not shown, and why. */
  notices: string[]
}

interface AxesInput {
  offers: readonly AxisOffer[]
  rows: readonly AxisRow[]
  /** Ids of the axes where the address names none. */
  usual: readonly string[]
}

/** The axes that an address selects, as they can be drawn over rows. */
export function axesView({ axes: named, ranges = [], colour }: AxesSearch, { offers, rows, usual }: AxesInput): AxesView {
  const known = new Map(withUniqueNames(offers).map((offer) => [offer.id, offer]))
  const scales = (named ?? usual).flatMap((id) => (known.has(id) ? [[id, toScale(valuesOf(rows, id))] as const] : []))
  const isCrowded = ({ kind, stops }: AxisScale) => kind === 'text' && stops.length > maxTexts
  const crowded = scales.filter(([, scale]) => isCrowded(scale))
  const shown = scales.filter(([, scale]) => !isCrowded(scale)).slice(0, maxAxes)
  const axes = shown.map(([id, scale]): DrawnAxis => {
    const range = ranges.find((one) => one.axis === id && fits(scale, one))
    return { ...known.get(id)!, scale, range }
  })
  const notices = [
    ...(named ?? []).filter((id) => !known.has(id)).map((id) => `Unknown axis ${id}.`),
    ...(named === undefined ? [] : crowded).map(
      ([id, { stops }]) => `${known.get(id)?.name} has ${stops.length} different texts; an axis shows at most ${maxTexts}.`,
    ),
    ...ranges
      .filter((range) => !axes.some((axis) => axis.range === range))
      .map(({ axis }) => `The range of ${axis} is not used: no axis of it is shown, or its ends are not of its kind.`),
    ...(colour === undefined || axes.some(({ id }) => id === colour) ? [] : [`No axis ${colour} is shown that could colour the lines.`]),
  ]
  return { axes, colour: axes.find(({ id }) => id === colour) ?? axes.at(-1), notices }
}

function* valuesOf(rows: readonly AxisRow[], id: string) {
  for (const { values } of rows) {
    const value = values.get(id)
    if (value !== undefined) yield value
  }
}

/** Axes of one name are called by their ids. */
export function withUniqueNames(offers: readonly AxisOffer[]): AxisOffer[] {
  const counts = new Map<string, number>()
  for (const { name } of offers) counts.set(name, (counts.get(name) ?? 0) + 1)
  return offers.map((offer) => ((counts.get(offer.name) ?? 0) > 1 ? { ...offer, name: offer.id } : offer))
}
