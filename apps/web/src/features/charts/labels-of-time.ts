import { timeText } from '../../lib/time/time-text.ts'

/** Below a part of a time. */
export interface TimeLabel {
  /** Index of the part. */
  at: number
  text: string
}

const dayMs = 86_400_000

/**
 * Labels below the parts of a time range: hours of a day, or days of several. A day's label is below the part in which it begins in the time zone.
 */
export function labelsOfTime(startedAt: readonly string[], timeZone: string): TimeLabel[] {
  const times = startedAt.map((start) => Date.parse(start))
  const isOneDay = (times.at(-1) ?? 0) - (times[0] ?? 0) <= dayMs
  const format = new Intl.DateTimeFormat(isOneDay ? 'en-GB' : undefined, { ...(isOneDay ? clock : day), timeZone })
  const texts = times.map((time) => format.format(time))
  const places = isOneDay ? roundTimes(texts) : firstOfDays(texts)
  const hasSeconds = !isOneDay || places.some((at) => texts[at]?.endsWith(':00') === false)
  return places.map((at) => ({ at, text: (hasSeconds ? texts[at] : texts[at]?.slice(0, -3)) ?? '' }))
}

/** Readable distances between times of a day, in seconds. */
const distances = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600]
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

const day = { month: 'short', day: 'numeric' } as const
const clock = { timeStyle: 'medium', hourCycle: 'h23' } as const
