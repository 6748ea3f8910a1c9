import { timeRanges } from '../../lib/time/time-range.ts'
import { searchOf, word } from '../../lib/search.ts'

export const groupings = ['model', 'op', 'user', 'thread'] as const
export type Grouping = (typeof groupings)[number]

export const groupingTitles: Record<Grouping, string> = { model: 'Model', op: 'Operation', user: 'User', thread: 'Thread' }

/** Search parameters of the costs page. */
export const costsSearch = searchOf({
  range: word(...timeRanges),
  by: word(...groupings),
  /** The measure of the chart. Default: cost. */
  chart: word('tokens'),
})
