import { numberAt, type StatsBucket, timesOf } from '../../../components/bars-over-time/stats-bucket.ts'

interface Path {
  json_path: string
  value_type: 'numeric' | 'boolean' | 'categorical'
}

interface Stats {
  buckets: readonly StatsBucket[]
  /** Seconds of a bucket. */
  granularity: number
}

/** The values at one path of payloads, in parts of a range. */
export interface ValueSeries {
  path: string
  /** Whether the values are true or false, so that the mean is the rate of those that are true. */
  isRate: boolean
  /** Those parts that have values, in order of time. */
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
export interface GivenCount {
  startedAt: string
  endedAt: string
  count: number
}

const aggregations = {
  boolean: ['count_true', 'count_false'],
  numeric: ['avg', 'min', 'max', 'count'],
  categorical: ['count'],
} as const

/** What to ask of the values of each path. */
export function metricsOf(paths: readonly Path[]) {
  return paths.map(({ json_path, value_type }) => ({
    json_path,
    value_type,
    aggregations: [...aggregations[value_type]],
  }))
}

/** The series of values that a range has, in the order of their paths. */
export function readValueSeries(paths: readonly Path[], stats: Stats): ValueSeries[] {
  return paths
    .map(({ json_path, value_type }) => {
      const isRate = value_type === 'boolean'
      const points = stats.buckets.flatMap((bucket) => pointOf(bucket, { slug: slugOf(json_path), isRate, seconds: stats.granularity }))
      return { path: json_path, isRate, points }
    })
    .filter(({ points }) => points.length > 0)
}

/** How much feedback each part of a range has, empty parts included. */
export function readGivenCounts({ buckets, granularity }: Stats): GivenCount[] {
  return buckets.map((bucket) => ({ ...timesOf(bucket, granularity), count: numberAt(bucket, 'count') ?? 0 }))
}

function pointOf(bucket: StatsBucket, of: { slug: string; isRate: boolean; seconds: number }): ValuePoint[] {
  const at = (name: string) => numberAt(bucket, `${name}_${of.slug}`) ?? 0
  const count = of.isRate ? at('count_true') + at('count_false') : at('count')
  if (count === 0) return []
  const values = of.isRate ? { mean: at('count_true') / count, low: 0, high: 1 } : { mean: at('avg'), low: at('min'), high: at('max') }
  return [{ ...timesOf(bucket, of.seconds), ...values, count }]
}

/** The name of a path in the keys of stats. */
const slugOf = (path: string) => path.replaceAll(/[. ]/g, '_')
