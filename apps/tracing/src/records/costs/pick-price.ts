import type { Micros } from '@heddle/core-api'
import type { CostRow } from './cost-row.ts'

/**
 * Picks the price in force when a call started: effective before future, project before default, then the latest effective date. If several are equal
 * in all of this, the newest wins. `rows` all have the model of the call. Undefined if there are none.
 */
export function pickPrice(rows: readonly CostRow[], startedAt: Micros): CostRow | undefined {
  return best(rows, (row) => [row.effective_date <= startedAt, row.pricing_level === 'project', row.effective_date, row.created_at, row.id])
}

/** Picks the price of a model whatever the time: project before default, then the latest effective date, then the newest. */
export function pickLatestPrice(rows: readonly CostRow[]): CostRow | undefined {
  return best(rows, (row) => [row.pricing_level === 'project', row.effective_date, row.created_at, row.id])
}

/** By what rows are compared, the most important first: the higher wins, and true is higher than false. */
type Merits = (boolean | number | string)[]

function best(rows: readonly CostRow[], meritsOf: (row: CostRow) => Merits): CostRow | undefined {
  return rows.reduce<CostRow | undefined>(
    (found, row) => (found === undefined || isHigher(meritsOf(row), meritsOf(found)) ? row : found),
    undefined,
  )
}

function isHigher(one: Merits, other: Merits): boolean {
  const at = one.findIndex((merit, index) => merit !== other[index])
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0)
}
