import { badRequest } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'

const hour = 3600
const day = 24 * hour
const maxBuckets = 10_000
const second = 1_000_000

/** Seconds of a bucket where the request does not say: coarser for longer ranges. */
export function automaticGranularity(rangeSeconds: number): number {
  if (rangeSeconds <= 2 * hour) return 300
  if (rangeSeconds <= 12 * hour) return hour
  if (rangeSeconds <= 3 * day) return 6 * hour
  if (rangeSeconds <= 14 * day) return 12 * hour
  return day
}

/** The granularity that is used: as asked, or larger where that would make more than 10,000 buckets. */
export function boundedGranularity(granularity: number, rangeSeconds: number): number {
  if (rangeSeconds / granularity <= maxBuckets) return granularity
  return Math.max(granularity, Math.floor(rangeSeconds / maxBuckets) + 1)
}

export interface BucketRange {
  /** Inclusive. */
  start: Micros
  /** Exclusive. */
  end: Micros
  /** Seconds. */
  granularity: number
  /** IANA name. */
  timezone: string
}

/** Starts of all buckets of a range, aligned to the granularity on the clock of the time zone: the first holds `start`, the last starts before `end`. */
export function bucketStarts({ start, end, granularity, timezone }: BucketRange): Micros[] {
  const offsetAt = timezoneOffset(timezone)
  const floor = (seconds: number) => {
    const offset = offsetAt(seconds)
    return Math.floor((seconds + offset) / granularity) * granularity - offset
  }
  const starts: Micros[] = []
  const last = end / second
  for (let at = floor(Math.floor(start / second)); at < last; at = nextStart(at, granularity, floor)) starts.push(at * second)
  return starts
}

/** A change of the clock makes one bucket longer or shorter; the one after it is aligned again. */
function nextStart(at: number, granularity: number, floor: (seconds: number) => number): number {
  const next = floor(at + granularity)
  return next > at ? next : floor(at + 2 * granularity)
}

/** Seconds that the clock of a time zone is ahead of UTC at a moment given in seconds. */
function timezoneOffset(timezone: string): (seconds: number) => number {
  if (timezone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (seconds) => {
    const parts = Object.fromEntries(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute = 0, second: secs = 0 } = parts
    return Date.UTC(year, month - 1, date, hours, minute, secs) / 1000 - seconds
  }
}

/** True for a name that the time zone database has. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
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
