import { bucketStarts } from '@heddle/trace-model/time'
import type { Range } from './calls-search.ts'

const hour = 3_600
const rangeSeconds: Record<Range, number> = { '1h': hour, '24h': 24 * hour, '7d': 168 * hour, '30d': 720 * hour }
/** Short enough that 30 days and a part of a bucket are well below the 31 days that the server sums up at most, also where the clocks differ. */
const bucketSeconds: Record<Range, number> = { '1h': 150, '24h': hour, '7d': 6 * hour, '30d': 12 * hour }

/** The next shorter range, and how many of the last buckets always lie within it: four of six hours are 25 on the day on which clocks are set back. */
const shorter: Partial<Record<Range, { range: Range; buckets: number }>> = {
  '7d': { range: '24h', buckets: 3 },
  '24h': { range: '1h', buckets: 1 },
}

/** A shorter range with the same calls; undefined if no range is shorter, or no bucket has a call. @param counts calls of each bucket */
export function shorterRange(range: Range, counts: readonly number[]): Range | undefined {
  const next = shorter[range]
  const first = counts.findIndex((count) => count > 0)
  return next !== undefined && first >= 0 && first >= counts.length - next.buckets ? next.range : undefined
}

/** The buckets of a range that ends at `now` (ms) in a time zone. The first is whole, so that the start is unchanged until the next one begins. */
export function histogramBuckets({ range, timezone }: { range: Range; timezone: string }, now: number) {
  const granularity = bucketSeconds[range]
  const earliest = Math.floor(now / 1_000 - rangeSeconds[range])
  const [first = earliest] = bucketStarts({ start: earliest, end: earliest + 1, granularity, timezone })
  return { start: new Date(first * 1_000).toISOString(), granularity, timezone }
}
