import { type SearchOf, text, word } from '../../lib/search.ts'
import type { AxisValue, AxisRange } from './axis.ts'

/** Most axes that are shown together. */
export const maxAxes = 12
const maxNameCharacters = 200

/** Search parameters of parallel coordinates. */
export const axesParams = {
  /** Default: the table alone. */
  view: word('axes'),
  /** Ids of the axes in their order. Default: the most informative ones. */
  axes: axesIn,
  /** At most one of each axis. */
  ranges: rangesIn,
  /** Id of the axis by whose values lines are coloured. Default: the last. */
  colour: text,
}
export type AxesSearch = SearchOf<typeof axesParams>

function axesIn(value: unknown): string[] | undefined {
  const ids = (Array.isArray(value) ? value : []).filter((id): id is string => typeof id === 'string' && isName(id))
  return ids.length === 0 ? undefined : [...new Set(ids)].slice(0, maxAxes)
}

/** The first range of each axis; ranges without an end are ignored. */
function rangesIn(value: unknown): AxisRange[] | undefined {
  const ranges = new Map<string, AxisRange>()
  for (const one of Array.isArray(value) ? value : []) {
    const given = Object(one) as Record<string, unknown>
    const [axis, from, to] = [text(given['axis']), endIn(given['from']), endIn(given['to'])]
    if (axis === undefined || !isName(axis) || (from === undefined && to === undefined) || ranges.has(axis)) continue
    ranges.set(axis, { axis, ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
  }
  return ranges.size === 0 ? undefined : [...ranges.values()].slice(0, maxAxes)
}

const isName = (name: string) => name !== '' && name.length <= maxNameCharacters

const endIn = (value: unknown): AxisValue | undefined =>
  (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && isName(value)) ? value : undefined
