import { wordOf } from '../../app/search.ts'
import { type Chart, readChart } from './chart/chart.ts'
import { type TimeRange, timeRanges } from '../../app/time-range.ts'

/** What the address of the list of dashboards says. */
export interface DashboardsSearch {
  /** A chart that is added to the dashboard which is chosen. */
  add?: Chart | undefined
}

/** What the address of a dashboard says. */
export interface DashboardSearch extends DashboardsSearch {
  /** Which time all charts show. Default: 7 days. */
  range?: TimeRange | undefined
}

export const dashboardsSearch = (search: Record<string, unknown>): DashboardsSearch => ({ add: readChart(search['add']) })

export const dashboardSearch = (search: Record<string, unknown>): DashboardSearch => ({
  ...dashboardsSearch(search),
  range: wordOf(search, 'range', timeRanges),
})
