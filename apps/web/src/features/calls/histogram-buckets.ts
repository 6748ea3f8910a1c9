import { bucketStarts } from '@heddle/trace-model/time'
import { secondsOfShortPart } from '../../lib/time/time-range.ts'
import type { Range } from './calls-search.ts'

const hour = 3_600
const rangeSeconds: Record<Range, number> = { '1h': hour, '24h': 24 * hour, '7d': 168 * hour, '30d': 720 * hour }
/** Buckets of a shorter time would show nothing of its course. */
const leastMs = 60_000

/** Shorter buckets that begin with the first call; undefined if those given are as short as they can be, or none has a call. */
export function finerBuckets(buckets: readonly { startedAt: string; calls: number }[], granularity: number, nowMs: number) {
  const first = buckets.find(({ calls }) => calls > 0)
  if (first === undefined) return undefined
  const startMs = Math.min(Date.parse(first.startedAt), nowMs - leastMs)
  const seconds = secondsOfShortPart((nowMs - startMs) / 1_000)
  return seconds < granularity ? { start: new Date(startMs).toISOString(), granularity: seconds } : undefined
}

/** The buckets of a range that ends at `now` (ms) in a time zone. The first is whole, so that the start is unchanged until the next one begins. */
export function histogramBuckets({ range, timezone }: { range: Range; timezone: string }, now: number) {
  // 30 days and a part of a bucket are well below the 31 days that the server sums up at most, also where the clocks differ.
  const granularity = secondsOfShortPart(rangeSeconds[range])
  const earliest = Math.floor(now / 1_000 - rangeSeconds[range])
  const [first = earliest] = bucketStarts({ start: earliest, end: earliest + 1, granularity, timezone })
  return { start: new Date(first * 1_000).toISOString(), granularity, timezone }
}
