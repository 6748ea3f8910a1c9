import { sumKnown } from '@heddle/trace-model'
import type { CallRow } from '../call-row.ts'
import type { CallsSearch } from '../calls-search.ts'

/** What the rows of a list used together. */
export interface UsageOfRows {
  /** Null if no row has tokens. */
  tokens: number | null
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
  return { tokens: sumKnown(used.map(({ tokens }) => tokens)), cost: sumKnown(used.map(({ cost }) => cost)) }
}

/** Only the row that represents its trace has the fact whether a parent is missing. */
const isWhole = ({ isParentMissing }: CallRow) => isParentMissing !== undefined

function withoutRepeated(rows: readonly CallRow[], listed: readonly CallRow[]): CallRow[] {
  const whole = new Set(listed.filter(isWhole).map(({ traceId }) => traceId))
  return rows.filter((row) => isWhole(row) || !whole.has(row.traceId))
}
