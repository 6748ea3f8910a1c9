import { numberAt, type StatsBucket, timesOf } from '../../../components/bars-over-time/stats-bucket.ts'
import { nameOfGroup } from '../../costs/calls-of-group.ts'
import { readGivenCounts, readValueSeries } from '../../feedback/over-time/read-value-series.ts'
import { type Chart, type FeedbackValue, isUsage, type Measure, measureTitles } from './chart.ts'
import { groupLimit, isOfUses, pathOf, percentileKey } from './chart-request.ts'

/** What a chart draws. */
export interface ChartData {
  /** The parts of the range in order; one where the chart is of all of it. None where nothing is there. */
  times: readonly { startedAt: string; endedAt: string }[]
  series: readonly ChartSeries[]
  /** Groups that are not among the series. */
  leftOut: number
  /** Uses of models without a known price, which costs leave out. */
  unpriced: number
}

/** The values of a measure, or of one group. */
export interface ChartSeries {
  /** Of the group; null for calls without one. Absent where the measure is not split. */
  key?: string | null
  name: string
  /** One for each part of the range. */
  cells: readonly Cell[]
}

export interface Cell {
  /** Null where there is none: no call that has ended, or no known price. */
  value: number | null
  /** Calls, uses or values of feedback that it is made of. */
  of: number
}

interface CallsStats {
  granularity: number
  call_buckets: readonly StatsBucket[]
  usage_buckets: readonly StatsBucket[]
  unpriced_usage?: Readonly<Record<string, number>> | undefined
  groups_left_out?: number | undefined
}

const noCell: Cell = { value: null, of: 0 }

/** Reads what a chart of calls shows out of the statistics of calls. */
export function readCallsChart(chart: Chart, stats: CallsStats): ChartData {
  const { measure, by } = chart
  const buckets = isUsage(measure) ? stats.usage_buckets : stats.call_buckets
  const places = new Map<string, number>()
  const times: ChartData['times'][number][] = []
  const groups = new Map<string | null, StatsBucket[][]>()
  for (const bucket of buckets) {
    const time = timesOf(bucket, stats.granularity)
    const at = places.get(time.startedAt) ?? times.push(time) - 1
    places.set(time.startedAt, at)
    const key = by === null ? '' : keyAt(bucket, isOfUses(chart) ? 'model' : 'group')
    const ofGroup = groups.get(key) ?? []
    groups.set(key, ofGroup)
    ;(ofGroup[at] ??= []).push(bucket)
  }
  const unpriced = stats.unpriced_usage ?? {}
  const all = [...groups].map(([key, ofParts]): ChartSeries => {
    const cells = times.map((_, at) => cellOf(measure, ofParts[at] ?? [], unpriced))
    return by === null ? { name: measureTitles[measure], cells } : { key, name: nameOfGroup(by, key), cells }
  })
  const limit = groupLimit(chart)
  const series = isOfUses(chart) ? all.toSorted((one, other) => sumOf(other) - sumOf(one)) : all
  return {
    times,
    series: series.slice(0, limit),
    leftOut: (stats.groups_left_out ?? 0) + Math.max(0, series.length - limit),
    unpriced: Object.values(unpriced).reduce((total, uses) => total + uses, 0),
  }
}

function keyAt(bucket: StatsBucket, name: string): string | null {
  const key = bucket[name]
  return typeof key === 'string' ? key : null
}

/** The buckets of a part: one, or one for each model. */
function cellOf(measure: Measure, buckets: readonly StatsBucket[], unpriced: Readonly<Record<string, number>>): Cell {
  const sum = (name: string, of = buckets) => of.reduce((total, bucket) => total + (numberAt(bucket, name) ?? 0), 0)
  const [bucket] = buckets
  const of = sum('count')
  switch (measure) {
    case 'calls':
      return { value: of, of }
    case 'errors':
      return { value: sum('sum_error_count'), of }
    case 'error_rate':
      return { value: of === 0 ? null : sum('sum_error_count') / of, of }
    case 'latency_p50':
    case 'latency_p95':
    case 'latency_p99':
      return bucket === undefined ? noCell : { value: numberAt(bucket, percentileKey(measure)), of: sum('count_latency_ms') }
    case 'tokens':
      return { value: sum('sum_input_tokens') + sum('sum_output_tokens'), of }
    case 'cost': {
      const priced = buckets.filter(({ model }) => !Object.hasOwn(unpriced, String(model)))
      return { value: of > 0 && sum('count', priced) === 0 ? null : sum('sum_total_cost', priced), of }
    }
    case 'feedback':
      return noCell
  }
}

const sumOf = ({ cells }: ChartSeries) => cells.reduce((total, { value }) => total + (value ?? 0), 0)

interface FeedbackStats {
  granularity: number
  buckets: readonly StatsBucket[]
}

/** Reads what a chart of feedback shows out of the statistics of feedback. */
export function readFeedbackChart(feedback: FeedbackValue, stats: FeedbackStats): ChartData {
  const [values] = readValueSeries([pathOf(feedback)], stats)
  const points = new Map(values?.points.map((point) => [point.startedAt, point]))
  const times = readGivenCounts(stats).map(({ startedAt, endedAt }) => ({ startedAt, endedAt }))
  const cells = times.map(({ startedAt }): Cell => {
    const point = points.get(startedAt)
    return point === undefined ? noCell : { value: point.mean, of: point.count }
  })
  return { times, series: [{ name: feedback.path, cells }], leftOut: 0, unpriced: 0 }
}
