import type { Condition } from './call-condition.ts'
import type { CallsSearch } from './calls-search.ts'

/** The conditions but those on the time of the start. */
export const atAnyTime = (where: readonly Condition[] = []): Condition[] => where.filter(({ path }) => path !== 'started_at')

/** What selects the calls of the histogram: at any time, and whatever their text and the totals of their traces, which take long to find. */
export const drawnSearch = (search: CallsSearch): CallsSearch => ({
  ...search,
  where: atAnyTime(search.where),
  text: undefined,
  traces: undefined,
})

/** How the calls of the histogram are more than those of the table, after their number. Empty where they are not. */
export function leftOutOf({ text, traces }: CallsSearch): string {
  const parts = [...(text === undefined ? [] : ['text']), ...(traces === undefined ? [] : ['totals'])]
  return parts.length === 0 ? '' : `, whatever their ${parts.join(' and ')}`
}
