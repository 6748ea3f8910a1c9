import { badRequest, type FeedbackStats } from '@heddle/core-api/internal'

type MetricRequest = FeedbackStats['metrics'][number]
export type ValueType = MetricRequest['value_type']
export type Aggregation = MetricRequest['aggregations'][number]

/** One number of a bucket: its source values, and how it is computed. */
export type FeedbackStat = {
  path: readonly string[]
  valueType: ValueType
  /** Name of the path in keys. */
  slug: string
  /** Name of the way, as `avg` and `p95`. */
  name: string
} & ({ kind: 'aggregation'; aggregation: Aggregation } | { kind: 'percentile'; percentile: number })

const usual: Record<ValueType, readonly Aggregation[]> = {
  numeric: ['avg', 'min', 'max'],
  boolean: ['count_true', 'count_false'],
  categorical: ['count'],
}

/**
 * The stats of the requested metrics, each once, in the order of the request.
 * @throws 400 for a path with other signs than letters, digits, `_`, `.` and space, and for percentiles of anything but numbers or outside 0 to 100.
 */
export function statsOfMetrics(metrics: readonly MetricRequest[]): FeedbackStat[] {
  const stats = new Map<string, FeedbackStat>()
  for (const stat of metrics.flatMap(statsOf)) stats.set(keyOf(stat), stat)
  return [...stats.values()]
}

/** The key of a stat in a bucket. */
export function keyOf({ name, slug }: FeedbackStat): string {
  return `${name}_${slug}`
}

/** The value of a stat over no values in a bucket: sums, averages and counts are 0, all others unknown. */
export function emptyStat(stat: FeedbackStat): number | null {
  return stat.kind === 'percentile' || stat.aggregation === 'min' || stat.aggregation === 'max' ? null : 0
}

function statsOf({ json_path, value_type, aggregations, percentiles }: MetricRequest): FeedbackStat[] {
  checkPath(json_path)
  if (value_type !== 'numeric' && percentiles.length > 0)
    throw badRequest(`percentiles are not defined for ${value_type} values: leave them out`)
  const of = { path: json_path.split('.'), valueType: value_type, slug: json_path.replaceAll(/[. ]/g, '_') }
  const ways = aggregations.length === 0 ? usual[value_type] : aggregations
  return [
    ...ways.map((aggregation) => ({ ...of, name: aggregation, kind: 'aggregation' as const, aggregation })),
    ...percentiles.map((percentile) => ({ ...of, name: `p${checked(percentile)}`, kind: 'percentile' as const, percentile })),
  ]
}

function checkPath(path: string): void {
  if (/^[A-Za-z0-9_. ]{1,1000}$/.test(path) && path.trim() !== '') return
  throw badRequest(`json_path ${JSON.stringify(path.slice(0, 200))} is not supported: use letters, digits, "_", "." and space`)
}

function checked(percentile: number): number {
  if (percentile >= 0 && percentile <= 100) return percentile
  throw badRequest(`percentile must be between 0 and 100, got ${percentile}`)
}
