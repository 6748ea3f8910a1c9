import { wordOf } from '../../lib/search.ts'
import { type Chart, readChart } from '../../features/dashboard-charts/chart.ts'
import { type TimeRange, timeRanges } from '../../lib/time/time-range.ts'

/** Search parameters of the list of dashboards. */
export interface DashboardsSearch {
  /** A chart that is added to the dashboard which is chosen. */
  add?: Chart | undefined
}

/** Search parameters of a dashboard. */
export interface DashboardSearch extends DashboardsSearch {
  /** Which time all charts show. Default: 7 days. */
  range?: TimeRange | undefined
}

export const dashboardsSearch = (search: Record<string, unknown>): DashboardsSearch => ({ add: readChart(search['add']) })

export const dashboardSearch = (search: Record<string, unknown>): DashboardSearch => ({
  ...dashboardsSearch(search),
  range: wordOf(search, 'range', timeRanges),
})
