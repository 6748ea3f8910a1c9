import type { Condition } from '../filter/call-condition.ts'
import { isKnown, type ListedCalls } from './totals/known-traces.ts'

/** The conditions but those on the time of the start. */
export const atAnyTime = (where: readonly Condition[] = []): Condition[] => where.filter(({ path }) => path !== 'started_at')

/** What selects the calls of the histogram: the same at any time. */
export const drawnSearch = (search: ListedCalls): ListedCalls => ({ ...search, where: atAnyTime(search.where) })

/** Whether calls before the range of the histogram are counted. With a text, that would read all calls a second time. */
export const seeksEarlier = (search: ListedCalls): boolean => search.text === undefined && isKnown(search)
