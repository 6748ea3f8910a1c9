import { badRequest } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { type BucketRange, bucketStarts } from '@heddle/trace-model/time'

const hour = 3600
const day = 24 * hour
const maxBuckets = 10_000
const second = 1_000_000

/** Default seconds of a bucket: coarser for longer ranges. */
export function automaticGranularity(rangeSeconds: number): number {
  if (rangeSeconds <= 2 * hour) return 300
  if (rangeSeconds <= 12 * hour) return hour
  if (rangeSeconds <= 3 * day) return 6 * hour
  if (rangeSeconds <= 14 * day) return 12 * hour
  return day
}

/** The granularity used: as requested, or larger if that would make more than 10,000 buckets. */
export function boundedGranularity(granularity: number, rangeSeconds: number): number {
  if (rangeSeconds / granularity <= maxBuckets) return granularity
  return Math.max(granularity, Math.floor(rangeSeconds / maxBuckets) + 1)
}

interface MicrosRange extends Omit<BucketRange, 'start' | 'end'> {
  /** Inclusive. */
  start: Micros
  /** Exclusive. */
  end: Micros
}

/** Starts of all buckets of a range, as `bucketStarts` of the trace model makes them. */
export function bucketsOfRange({ start, end, ...grid }: MicrosRange): Micros[] {
  return bucketStarts({ ...grid, start: Math.floor(start / second), end: Math.ceil(end / second) }).map((at) => at * second)
}

const maxNumbers = 1_000_000

interface AnswerSize {
  buckets: number
  stats: number
  models?: number
  groups?: number
}

/** Refuses stats of more buckets than an answer can hold. @throws ApiError 400 */
export function checkNumbers({ buckets, stats, models = 1, groups = 1 }: AnswerSize): void {
  if (buckets * models * groups * stats <= maxNumbers) return
  const of = `${models === 1 ? '' : ` of ${models} models`}${groups === 1 ? '' : ` in ${groups} groups`}`
  throw badRequest(`${stats} stats${of} in ${buckets} buckets exceed ${maxNumbers} numbers: raise granularity or request fewer metrics`)
}
