import { type TimeRange, timeRanges } from '../../app/time-range.ts'
import { wordOf } from '../../app/search.ts'

export const groupings = ['model', 'op', 'user', 'thread'] as const
export type Grouping = (typeof groupings)[number]

/** What the address of the costs page says. */
export interface CostsSearch {
  range?: TimeRange | undefined
  by?: Grouping | undefined
  /** What the chart shows. Default: cost. */
  chart?: 'tokens' | undefined
}

export const costsSearch = (search: Record<string, unknown>): CostsSearch => ({
  range: wordOf(search, 'range', timeRanges),
  by: wordOf(search, 'by', groupings),
  chart: wordOf(search, 'chart', ['tokens']),
})
