import { zoneClock } from '@heddle/trace-model/time'

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 }

/**
 * Parses a typed time: `now`, `2 days ago`, or a date with or without a time of day in a time zone.
 * @returns milliseconds since 1970; undefined for a text that is not a time
 */
export function parseTime(text: string, { timeZone, now }: { timeZone: string; now: number }): number | undefined {
  const typed = text.trim().toLowerCase()
  if (typed === 'now') return now
  const [, count, unit] = /^(\d{1,4}) (minute|hour|day|week)s? ago$/.exec(typed) ?? []
  if (count !== undefined && unit !== undefined) return now - Number(count) * (unitMs[unit] ?? 0)
  const [, date, time = '00:00', zone] = /^(\d{4}-\d{2}-\d{2})(?:[ t](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?(z)?$/.exec(typed) ?? []
  if (date === undefined) return undefined
  const asUtc = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(asUtc)) return undefined
  if (zone !== undefined) return asUtc
  const local = Math.floor(asUtc / 1_000)
  return zoneClock(timeZone).momentOf(local) * 1_000 + (asUtc - local * 1_000)
}
