/** The times that pages sum up, all of which end now. The server sums up 31 days at most. */
export const timeRanges = ['24h', '7d', '30d'] as const
export type TimeRange = (typeof timeRanges)[number]

export const rangeTitles: Record<TimeRange, string> = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' }

const hourMs = 3_600_000
export const rangeMs: Record<TimeRange, number> = { '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs }

const minuteMs = 60_000

/** Start of a range that ends now, on the minute. */
export const startOf = (range: TimeRange) => new Date(Math.floor((Date.now() - rangeMs[range]) / minuteMs) * minuteMs).toISOString()

/** Seconds of a part of a range, for charts over time: hours, quarters of a day and days of the chosen time zone. */
export const secondsOfPart: Record<TimeRange, number> = { '24h': 3_600, '7d': 21_600, '30d': 86_400 }

/** Seconds of a part that contains the whole range: percentiles of its parts cannot be added up. */
export const secondsOfAll = 100 * 365 * 86_400
