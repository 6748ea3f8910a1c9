import { secondsOfAll, secondsOfPart, type TimeRange } from '../../lib/time/time-range.ts'
import { toExpression } from '../filter/call-condition.ts'
import { parseCallsFilter } from '../filter/calls-filter.ts'
import { toFilterOperation } from '../filter/parse-filter.ts'
import { metricsOf } from '../feedback/read-value-series.ts'
import { type Chart, type FeedbackValue, isUsage, type Measure } from './chart.ts'

/** Most series of a chart; more could not be distinguished. */
export const maxSeries = 8
/** Groups of a table. */
export const maxGroups = 100

/** Whether a chart shows totals of a range instead of its course. */
export const isOfWhole = ({ form, by }: Pick<Chart, 'form' | 'by'>) => form === 'number' || (form === 'table' && by !== null)

/** Whether the groups of a chart are the models of its uses, which the statistics of usage have anyway. */
export const isOfUses = ({ measure, by }: Pick<Chart, 'measure' | 'by'>) => by === 'model' && isUsage(measure)

/** How many groups a chart shows. */
export const groupLimit = ({ form }: Pick<Chart, 'form'>) => (form === 'table' ? maxGroups : maxSeries)

const granularityOf = (chart: Chart, range: TimeRange) => (isOfWhole(chart) ? secondsOfAll : secondsOfPart[range])

const percentiles = { latency_p50: 50, latency_p95: 95, latency_p99: 99 } as const

/**
 * The request of a chart of calls for the statistics of calls, without the project and the start.
 * @throws FilterProblem for a filter that cannot be read
 */
export function toCallsRequest(chart: Chart, range: TimeRange) {
  const { measure, level, filter, by } = chart
  const query = filter.trim() === '' ? undefined : toExpression([], [toFilterOperation(parseCallsFilter(filter))])
  return {
    granularity: granularityOf(chart, range),
    filter: { trace_roots_only: level === 'roots' },
    ...(query && { query }),
    ...(by !== null && !isOfUses({ measure, by }) && { group_by: by, group_limit: groupLimit(chart) }),
    ...(isUsage(measure)
      ? { usage_metrics: [{ metric: usageMetrics[measure] }], counted_usage: true }
      : { call_metrics: callMetrics(measure) }),
  }
}

const usageMetrics = { tokens: 'total_tokens', cost: 'total_cost' } as const

function callMetrics(measure: Exclude<Measure, 'tokens' | 'cost'>) {
  switch (measure) {
    case 'latency_p50':
    case 'latency_p95':
    case 'latency_p99':
      return [{ metric: 'latency_ms' as const, aggregations: ['count' as const], percentiles: [percentiles[measure]] }]
    case 'errors':
    case 'error_rate':
      return [{ metric: 'error_count' as const }]
    default:
      return [{ metric: 'call_count' as const }]
  }
}

/** The name of a value in the buckets of the answer. */
export const percentileKey = (measure: keyof typeof percentiles) => `p${percentiles[measure]}_latency_ms`

/** The path of a value of feedback, as the statistics of feedback name it. */
export const pathOf = ({ path, isRate }: FeedbackValue) => ({
  json_path: path,
  value_type: isRate ? ('boolean' as const) : ('numeric' as const),
})

/** The request of a chart of feedback for the statistics of feedback, without the project and the start. */
export function toFeedbackRequest(chart: Chart, feedback: FeedbackValue, range: TimeRange) {
  return { granularity: granularityOf(chart, range), feedback_type: feedback.type, metrics: metricsOf([pathOf(feedback)]) }
}
