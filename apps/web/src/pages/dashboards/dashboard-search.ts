import { searchOf, word } from '../../lib/search.ts'
import { readChart } from '../../features/dashboard-charts/chart.ts'
import { timeRanges } from '../../lib/time/time-range.ts'

const dashboardsParams = {
  /** A chart that is added to the dashboard which is chosen. */
  add: readChart,
}

/** Search parameters of the list of dashboards. */
export const dashboardsSearch = searchOf(dashboardsParams)

/** Search parameters of a dashboard. */
export const dashboardSearch = searchOf({
  ...dashboardsParams,
  /** Which time all charts show. Default: 7 days. */
  range: word(...timeRanges),
})
