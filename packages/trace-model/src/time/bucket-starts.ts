import { zoneClock, type ZoneClock } from './zone-clock.ts'

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/** All times are whole seconds since 1970. */
export interface BucketRange {
  /** Inclusive. */
  start: number
  /** Exclusive. */
  end: number
  /** Seconds of a bucket, at least 1. */
  granularity: number
  /** IANA name. */
  timezone: string
}

/**
 * Starts of all buckets of a range, aligned to the granularity on the clock of the time zone: the first bucket holds `start`, the last starts
 * before `end`, and each ends where the next one starts. Where the clock changes, a bucket of more than an hour is longer or shorter, so that days
 * last from midnight to midnight; one of an hour or less ends at the change, so that an hour that the clock shows twice makes two buckets.
 * The work grows with the number of buckets and days. @throws RangeError for an unknown time zone.
 */
export function bucketStarts(range: BucketRange): number[] {
  if (range.end <= range.start) return []
  const clock = zoneClock(range.timezone)
  return range.granularity > hourSeconds ? startsOnClock(range, clock) : startsBetweenChanges(range, clock)
}

function startsOnClock({ start, end, granularity }: BucketRange, clock: ZoneClock): number[] {
  let local = Math.floor((start + clock.offsetAt(start)) / granularity) * granularity
  let at = clock.momentOf(local)
  while (at > start) at = clock.momentOf((local -= granularity))
  const starts: number[] = []
  while (at < end) {
    // A day that the clock leaves out has no bucket.
    if (at !== starts.at(-1)) starts.push(at)
    at = clock.momentOf((local += granularity))
  }
  return starts
}

function startsBetweenChanges({ start, end, granularity }: BucketRange, clock: ZoneClock): number[] {
  const starts: number[] = []
  let from = start - hourSeconds
  while (from < end) {
    const to = Math.min(from + daySeconds, end)
    const change = clock.nextChange(from, to)
    const until = change ?? to
    const offset = clock.offsetAt(from)
    for (let at = Math.ceil((from + offset) / granularity) * granularity - offset; at < until; at += granularity) {
      if (at !== starts.at(-1)) starts.push(at)
    }
    if (change !== undefined && change < end && change !== starts.at(-1)) starts.push(change)
    from = until
  }
  const first = starts.findLastIndex((at) => at <= start)
  return starts.slice(Math.max(first, 0))
}
