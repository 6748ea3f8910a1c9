import { timeText } from '../../lib/time/time-text.ts'

/** Below a part of a time. */
export interface TimeLabel {
  /** Index of the part. */
  at: number
  text: string
}

const dayMs = 86_400_000

/** If fewer days than this begin in the range, times of day are labelled too. */
const fewDays = 3

/**
 * Labels below the parts of a time range: times of day for a range of one or two days, days for a longer one. A day's label is below the part in which it begins in the time zone.
 */
export function labelsOfTime(startedAt: readonly string[], timeZone: string): TimeLabel[] {
  const times = startedAt.map((start) => Date.parse(start))
  const dayOf = new Intl.DateTimeFormat(undefined, { ...day, timeZone })
  const isOneDay = (times.at(-1) ?? 0) - (times[0] ?? 0) <= dayMs
  const days = isOneDay ? [] : times.map((time) => dayOf.format(time))
  const begun = firstOfDays(days)
  if (begun.length >= fewDays) return begun.map((at) => ({ at, text: days[at] ?? '' }))
  const clockOf = new Intl.DateTimeFormat('en-GB', { ...clock, timeZone })
  const texts = times.map((time) => clockOf.format(time))
  const places = roundTimes(texts)
  const hasSeconds = places.some((at) => texts[at]?.endsWith(':00') === false)
  const isStart = new Set(begun)
  return places.map((at) => ({ at, text: (isStart.has(at) ? days[at] : hasSeconds ? texts[at] : texts[at]?.slice(0, -3)) ?? '' }))
}

/** Readable distances between times of a day, in seconds. */
const distances = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200]
const maxLabels = 12

/** Indexes of times of a day, `HH:MM:SS`, at round distances. All of them if none is round. */
function roundTimes(texts: readonly string[]): number[] {
  const seconds = texts.map((text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0))
  const atDistance = (distance: number) => seconds.flatMap((second, at) => (second % distance === 0 ? [at] : []))
  const round = distances.map(atDistance).find((places) => places.length <= maxLabels) ?? []
  return round.length > 1 ? round : texts.map((_, at) => at)
}

/** Indexes at which a day begins. The first day has begun before the time does. */
function firstOfDays(texts: readonly string[]): number[] {
  const first = texts.flatMap((text, at) => (text === texts[at - 1] ? [] : [at]))
  return first.length === texts.length ? first : first.slice(1)
}

/** Writes times as the starts of parts of a time: to the second, if the parts are shorter than a minute. */
export function startsOf([first = '', second = '']: readonly string[], timeZone: string): (time: string) => string {
  const hasSeconds = Date.parse(second) - Date.parse(first) < 60_000
  return (time) => timeText(time, timeZone, { hasSeconds })
}

/** Writes days as the labels below the parts of several days are. */
export function daysOf(timeZone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat(undefined, { ...day, timeZone })
  return (time) => format.format(Date.parse(time))
}

/** Writes times as `daysOf` does, or as times of day if all are on the same day. */
export function daysOrTimesOf(times: readonly string[], timeZone: string): (time: string) => string {
  const dayOf = daysOf(timeZone)
  if (new Set(times.map(dayOf)).size > 1) return dayOf
  const format = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', hourCycle: 'h23', timeZone })
  return (time) => format.format(Date.parse(time))
}

const day = { month: 'short', day: 'numeric' } as const
const clock = { timeStyle: 'medium', hourCycle: 'h23' } as const
