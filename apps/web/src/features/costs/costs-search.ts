import { type TimeRange, timeRanges } from '../../lib/time/time-range.ts'
import { wordOf } from '../../lib/search.ts'

export const groupings = ['model', 'op', 'user', 'thread'] as const
export type Grouping = (typeof groupings)[number]

export const groupingTitles: Record<Grouping, string> = { model: 'Model', op: 'Operation', user: 'User', thread: 'Thread' }

/** Search parameters of the costs page. */
export interface CostsSearch {
  range?: TimeRange | undefined
  by?: Grouping | undefined
  /** The measure of the chart. Default: cost. */
  chart?: 'tokens' | undefined
}

export const costsSearch = (search: Record<string, unknown>): CostsSearch => ({
  range: wordOf(search, 'range', timeRanges),
  by: wordOf(search, 'by', groupings),
  chart: wordOf(search, 'chart', ['tokens']),
})
