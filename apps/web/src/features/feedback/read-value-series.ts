import { type BucketGrid, numberAt, type StatsBucket, timesOf } from '../charts/stats-bucket.ts'

interface Path {
  json_path: string
  value_type: 'numeric' | 'boolean' | 'categorical'
}

interface Stats extends BucketGrid {
  buckets: readonly StatsBucket[]
}

/** The values at one path of payloads, in parts of a range. */
export interface ValueSeries {
  path: string
  /** Whether the values are booleans, so that the mean is the rate of true ones. */
  isRate: boolean
  /** The parts that have values, ordered by time. */
  points: ValuePoint[]
}

export interface ValuePoint {
  startedAt: string
  endedAt: string
  mean: number
  /** Lowest and highest value; those of a rate are 0 and 1. */
  low: number
  high: number
  /** How many values there are. */
  count: number
}

/** How much feedback was given in a part of a range. */
export interface FeedbackCount {
  startedAt: string
  endedAt: string
  count: number
}

const aggregations = {
  boolean: ['count_true', 'count_false'],
  numeric: ['avg', 'min', 'max', 'count'],
  categorical: ['count'],
} as const

/** The metrics to request for the values of each path. */
export function metricsOf(paths: readonly Path[]) {
  return paths.map(({ json_path, value_type }) => ({
    json_path,
    value_type,
    aggregations: [...aggregations[value_type]],
  }))
}

/** The series of values that a range has, in the order of their paths. */
export function readValueSeries(paths: readonly Path[], stats: Stats): ValueSeries[] {
  const times = timesOf(stats.buckets, stats)
  return paths
    .map(({ json_path, value_type }) => {
      const isRate = value_type === 'boolean'
      const points = stats.buckets.flatMap((bucket) => pointOf(bucket, { slug: slugOf(json_path), isRate, times }))
      return { path: json_path, isRate, points }
    })
    .filter(({ points }) => points.length > 0)
}

/** How much feedback each part of a range has, empty parts included. */
export function readFeedbackCounts({ buckets, ...grid }: Stats): FeedbackCount[] {
  const times = timesOf(buckets, grid)
  return buckets.map((bucket) => ({ ...times(bucket), count: numberAt(bucket, 'count') ?? 0 }))
}

function pointOf(bucket: StatsBucket, of: { slug: string; isRate: boolean; times: ReturnType<typeof timesOf> }): ValuePoint[] {
  const at = (name: string) => numberAt(bucket, `${name}_${of.slug}`) ?? 0
  const count = of.isRate ? at('count_true') + at('count_false') : at('count')
  if (count === 0) return []
  const values = of.isRate ? { mean: at('count_true') / count, low: 0, high: 1 } : { mean: at('avg'), low: at('min'), high: at('max') }
  return [{ ...of.times(bucket), ...values, count }]
}

/** The name of a path in the keys of stats. */
const slugOf = (path: string) => path.replaceAll(/[. ]/g, '_')
