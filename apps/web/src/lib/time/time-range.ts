/** The times that pages sum up, all of which end now. The server sums up 31 days at most. */
export const timeRanges = ['24h', '7d', '30d'] as const
export type TimeRange = (typeof timeRanges)[number]

export const rangeTitles: Record<TimeRange, string> = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' }

const hourMs = 3_600_000
export const rangeMs: Record<TimeRange, number> = { '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs }

const minuteMs = 60_000

/** Start of a range that ends now, on the minute. */
export const startOf = (range: TimeRange, nowMs = Date.now()) =>
  new Date(Math.floor((nowMs - rangeMs[range]) / minuteMs) * minuteMs).toISOString()

/** Seconds of a part of a range, for charts over time: hours, quarters of a day and days of the chosen time zone. */
export const secondsOfPart: Record<TimeRange, number> = { '24h': 3_600, '7d': 21_600, '30d': 86_400 }

/** Seconds of a part of a shorter time: each divides a minute, an hour or a day. */
const shortParts = [2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200]
const mostParts = 60
const shortestSeconds = 60

/** Seconds of a part of a time of some seconds, of which a chart shows about 60 at most; a day where the time is longer than 30 days. */
export const secondsOfShortPart = (seconds: number) => shortParts.find((part) => seconds <= part * mostParts) ?? 86_400

/**
 * Start and seconds of a part of a range that ends at `nowMs`, for charts over time. A range begins with the first record of its project, at `sinceMs`,
 * so that a new project is not a bar at the end of an empty week.
 */
export function partsOf(range: TimeRange, { sinceMs, nowMs }: { sinceMs: number; nowMs: number }) {
  if (sinceMs <= nowMs - rangeMs[range]) return { start: startOf(range, nowMs), granularity: secondsOfPart[range] }
  const seconds = Math.max(shortestSeconds, (nowMs - sinceMs) / 1_000)
  const granularity = Math.min(secondsOfPart[range], secondsOfShortPart(seconds))
  const start = Math.floor((nowMs / 1_000 - seconds) / granularity) * granularity
  return { start: new Date(start * 1_000).toISOString(), granularity }
}

/** Seconds of a part that contains the whole range: percentiles of its parts cannot be added up. */
export const secondsOfAll = 100 * 365 * 86_400
