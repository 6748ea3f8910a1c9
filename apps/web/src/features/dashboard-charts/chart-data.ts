import { sum } from '../../lib/sum.ts'
import { type BucketGrid, numberAt, type StatsBucket, timesOf } from '../charts/stats-bucket.ts'
import type { CostSource } from '@heddle/trace-model'
import { nameOfGroup } from '../costs/calls-of-group.ts'
import { readFeedbackCounts, readValueSeries } from '../feedback/read-value-series.ts'
import { type Chart, type FeedbackValue, isUsage, type Measure, measureTitles } from './chart.ts'
import { groupLimit, isOfUses, pathOf, percentileKey } from './chart-request.ts'

/** The data of a chart. */
export interface ChartData {
  /** The parts of the range in order; one where the chart is of all of it. None where nothing is there. */
  times: readonly { startedAt: string; endedAt: string }[]
  series: readonly ChartSeries[]
  /** Groups that are not among the series. */
  leftOut: number
  /** Uses without a known price, which costs leave out. */
  unpriced: number
  /** Where costs are from that are not at the prices of the names of their models. */
  costSource: CostSource
}

/** The values of a measure, or of one group. */
export interface ChartSeries {
  /** Key of the group; null for calls without one. Absent if the measure is not split. */
  key?: string | null
  name: string
  /** One for each part of the range. */
  cells: readonly Cell[]
}

export interface Cell {
  /** Null if there is none: no call that has ended, or no known price. */
  value: number | null
  /** Number of calls, uses or values of feedback behind it. */
  of: number
}

interface CallsStats extends BucketGrid {
  call_buckets: readonly StatsBucket[]
  usage_buckets: readonly StatsBucket[]
  unpriced_usage?: Readonly<Record<string, number>> | undefined
  reported_usage?: Readonly<Record<string, number>> | undefined
  priced_as?: Readonly<Record<string, string>> | undefined
  groups_left_out?: number | undefined
}

const noCell: Cell = { value: null, of: 0 }

/** Converts statistics of calls to the data of a chart. */
export function readCallsChart(chart: Chart, stats: CallsStats): ChartData {
  const { measure, by } = chart
  const buckets = isUsage(measure) ? stats.usage_buckets : stats.call_buckets
  const timesOfBucket = timesOf(buckets, stats)
  const places = new Map<string, number>()
  const times: ChartData['times'][number][] = []
  const groups = new Map<string | null, StatsBucket[][]>()
  for (const bucket of buckets) {
    const time = timesOfBucket(bucket)
    const at = places.get(time.startedAt) ?? times.push(time) - 1
    places.set(time.startedAt, at)
    const key = by === null ? '' : keyAt(bucket, isOfUses(chart) ? 'model' : 'group')
    const ofGroup = groups.get(key) ?? []
    groups.set(key, ofGroup)
    ;(ofGroup[at] ??= []).push(bucket)
  }
  const [unpriced, reported] = [stats.unpriced_usage ?? {}, stats.reported_usage ?? {}]
  const all = [...groups].map(([key, ofParts]): ChartSeries => {
    const cells = times.map((_, at) => cellOf(measure, ofParts[at] ?? []))
    return by === null ? { name: measureTitles[measure], cells } : { key, name: nameOfGroup(by, key), cells }
  })
  const limit = groupLimit(chart)
  const series = isOfUses(chart) ? all.toSorted((one, other) => totalOf(other) - totalOf(one)) : all
  return {
    times,
    series: series.slice(0, limit),
    leftOut: (stats.groups_left_out ?? 0) + Math.max(0, series.length - limit),
    unpriced: sum(Object.values(unpriced)),
    costSource: {
      pricedAs: [...new Set(Object.values(stats.priced_as ?? {}))].sort(),
      reported: sum(Object.values(reported)),
    },
  }
}

function keyAt(bucket: StatsBucket, name: string): string | null {
  const key = bucket[name]
  return typeof key === 'string' ? key : null
}

/** The buckets of a part: one, or one for each model. */
function cellOf(measure: Measure, buckets: readonly StatsBucket[]): Cell {
  const sumOf = (name: string) => sum(buckets.map((bucket) => numberAt(bucket, name) ?? 0))
  const [bucket] = buckets
  const of = sumOf('count')
  switch (measure) {
    case 'calls':
      return { value: of, of }
    case 'errors':
      return { value: sumOf('sum_error_count'), of }
    case 'error_rate':
      return { value: of === 0 ? null : sumOf('sum_error_count') / of, of }
    case 'latency_p50':
    case 'latency_p95':
    case 'latency_p99':
      return bucket === undefined ? noCell : { value: numberAt(bucket, percentileKey(measure)), of: sumOf('count_latency_ms') }
    case 'tokens':
      return { value: sumOf('sum_total_tokens'), of }
    case 'cost':
      return { value: of > 0 && of === sumOf('unpriced_uses') ? null : sumOf('sum_total_cost'), of }
    case 'feedback':
      return noCell
  }
}

const totalOf = ({ cells }: ChartSeries) => sum(cells.map(({ value }) => value ?? 0))

interface FeedbackStats extends BucketGrid {
  buckets: readonly StatsBucket[]
}

/** Converts statistics of feedback to the data of a chart. */
export function readFeedbackChart(feedback: FeedbackValue, stats: FeedbackStats): ChartData {
  const [values] = readValueSeries([pathOf(feedback)], stats)
  const points = new Map(values?.points.map((point) => [point.startedAt, point]))
  const times = readFeedbackCounts(stats).map(({ startedAt, endedAt }) => ({ startedAt, endedAt }))
  const cells = times.map(({ startedAt }): Cell => {
    const point = points.get(startedAt)
    return point === undefined ? noCell : { value: point.mean, of: point.count }
  })
  return { times, series: [{ name: feedback.path, cells }], leftOut: 0, unpriced: 0, costSource: { pricedAs: [], reported: 0 } }
}
