import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { startOf, type TimeRange } from '../../../app/time-range.ts'
import { createFewAtATime } from '../few-at-a-time.ts'
import type { Chart } from './chart.ts'
import { type ChartData, readCallsChart, readFeedbackChart } from './chart-data.ts'
import { toCallsRequest, toFeedbackRequest } from './chart-request.ts'

/** So that a dashboard does not hold up what else its page asks for. */
const fewAtATime = createFewAtATime(4)

/** What a chart shows of a range that ends now. Charts that ask for the same share the answer, whatever they are called. */
export function chartQuery(project_id: string, { id: _id, title: _title, ...shown }: Chart, range: TimeRange) {
  const chart = { id: '', title: '', ...shown }
  return queryOptions({
    queryKey: ['dashboard-chart', project_id, shown, range],
    queryFn: ({ signal }) =>
      fewAtATime(async (): Promise<ChartData & { start: string }> => {
        const scope = { project_id, start: startOf(range) }
        if (chart.feedback !== null) {
          const request = { ...scope, ...toFeedbackRequest(chart, chart.feedback, range) }
          const stats = await client.feedback.stats(request, { signal })
          return { ...readFeedbackChart(chart.feedback, stats), start: stats.start }
        }
        const stats = await client.calls.stats({ ...scope, ...toCallsRequest(chart, range) }, { signal })
        return { ...readCallsChart(chart, stats), start: stats.start }
      }, signal),
    staleTime: 30_000,
  })
}
