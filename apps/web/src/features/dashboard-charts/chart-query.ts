import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { startOf, type TimeRange } from '../../lib/time/time-range.ts'
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts'
import { partsOfRange } from '../charts/parts-of-range.ts'
import type { Chart } from './chart.ts'
import { type ChartData, readCallsChart, readFeedbackChart } from './chart-data.ts'
import { isOfWhole, toCallsRequest, toFeedbackRequest } from './chart-request.ts'

/** Limited so that a dashboard does not delay other requests of its page. */
const limited = createConcurrencyLimit(4)

interface ChartTime {
  range: TimeRange
  /** IANA name of the time zone of its parts. */
  timezone: string
}

/** Data of a chart for a range that ends now. Charts with the same request share the answer, whatever their titles. */
export function chartQuery(project_id: string, { id: _id, title: _title, ...shown }: Chart, { range, timezone }: ChartTime) {
  const chart = { id: '', title: '', ...shown }
  return queryOptions({
    queryKey: ['dashboard-chart', project_id, shown, range, ...(isOfWhole(chart) ? [] : [timezone])],
    queryFn: ({ client: queries, signal }) =>
      limited(async (): Promise<ChartData & { start: string }> => {
        const parts = isOfWhole(chart) ? { start: startOf(range) } : { ...(await partsOfRange(queries, project_id, range)), timezone }
        if (chart.feedback !== null) {
          const request = { project_id, ...toFeedbackRequest(chart, chart.feedback, range), ...parts }
          const stats = await client.feedback.stats(request, { signal })
          return { ...readFeedbackChart(chart.feedback, stats), start: stats.start }
        }
        const stats = await client.calls.stats({ project_id, ...toCallsRequest(chart, range), ...parts }, { signal })
        return { ...readCallsChart(chart, stats), start: stats.start }
      }, signal),
    staleTime: 30_000,
  })
}
