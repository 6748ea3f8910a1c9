import { wordOf } from '../../app/search.ts'
import { type TimeRange, timeRanges } from '../../app/time-range.ts'

/** What the address of a dashboard says. */
export interface DashboardSearch {
  /** Which time all charts show. Default: 7 days. */
  range?: TimeRange | undefined
}

export const dashboardSearch = (search: Record<string, unknown>): DashboardSearch => ({ range: wordOf(search, 'range', timeRanges) })
