import type { CallRow } from '../call-row.ts'
import type { CallsSearch } from '../calls-search.ts'

/** What the rows of a list used together. */
export interface UsageOfRows {
  tokens: number
  /** Null if no row has a cost. */
  cost: number | null
}

/**
 * Usage is summed over traces alone: a span may repeat what the spans below it report. A trace with several roots counts once: its further roots
 * do not count if the root that represents it, with the totals of all, is among `listed`.
 * @param listed all rows of the list, if `rows` are only a group of them
 */
export function totalsOfRows(rows: readonly CallRow[], level: CallsSearch['level'], listed = rows): UsageOfRows {
  const used = level === 'all' ? [] : withoutRepeated(rows, listed)
  const costs = used.flatMap(({ cost }) => cost ?? [])
  return {
    tokens: used.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  }
}

/** Only the row that represents its trace has the fact whether a parent is missing. */
const isWhole = ({ isParentMissing }: CallRow) => isParentMissing !== undefined

function withoutRepeated(rows: readonly CallRow[], listed: readonly CallRow[]): CallRow[] {
  const whole = new Set(listed.filter(isWhole).map(({ traceId }) => traceId))
  return rows.filter((row) => isWhole(row) || !whole.has(row.traceId))
}
