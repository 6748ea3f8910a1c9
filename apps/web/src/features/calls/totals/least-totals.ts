import { formatCost } from '../../../lib/texts/format-cost.ts'

/** Least totals of the calls of a trace. */
export type LeastTotals = Partial<Record<TotalName, number>>
export type TotalName = 'calls' | 'errors' | 'tokens' | 'cost' | 'seconds'

/** The totals by which traces are selected, in the order of their fields. */
export const totals: readonly { name: TotalName; title: string }[] = [
  { name: 'calls', title: 'calls' },
  { name: 'errors', title: 'failed calls' },
  { name: 'tokens', title: 'tokens' },
  { name: 'cost', title: 'dollars' },
  { name: 'seconds', title: 'seconds' },
]

const countsWhole: readonly TotalName[] = ['calls', 'errors', 'tokens']

/** Whether a sum may be so large: counts are whole. */
export const isTotal = (name: TotalName, value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && (!countsWhole.includes(name) || Number.isSafeInteger(value))

/** Reads the sums of an address; undefined without any that can be one. */
export function readLeastTotals(value: unknown): LeastTotals | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const given = value as Record<string, unknown>
  const known = totals.flatMap(({ name }) => {
    const least = given[name]
    return isTotal(name, least) ? [[name, least] as const] : []
  })
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

/** The sums as the API takes them. */
export function toTotalsRequest({ calls, errors, tokens, cost, seconds }: LeastTotals) {
  return {
    ...(calls !== undefined && { min_calls: calls }),
    ...(errors !== undefined && { min_errors: errors }),
    ...(tokens !== undefined && { min_tokens: tokens }),
    ...(cost !== undefined && { min_cost: cost }),
    ...(seconds !== undefined && { min_duration_ms: seconds * 1_000 }),
  }
}

/** The sums in words. */
export function totalsText(least: LeastTotals): string {
  const parts = totals.flatMap(({ name, title }) => {
    const value = least[name]
    if (value === undefined) return []
    return name === 'cost' ? [formatCost(value)] : [`${value.toLocaleString('en')} ${value === 1 ? title.replace(/s$/, '') : title}`]
  })
  return `at least ${parts.join(', ')}`
}
