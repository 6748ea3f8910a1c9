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
  const format = new Intl.DateTimeFormat('en-GB', isOneDay ? { timeStyle: 'short', hourCycle: 'h23', timeZone } : { ...day, timeZone })
  const texts = times.map((time) => format.format(time))
  const places = isOneDay ? roundTimes(texts) : firstOfDays(texts)
  return places.map((at) => ({ at, text: texts[at] ?? '' }))
}

/** Readable distances between times of a day, in minutes. */
const distances = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360]
const maxLabels = 12

/** Indexes of times of a day, `HH:MM`, at round distances. All of them if none is round. */
function roundTimes(texts: readonly string[]): number[] {
  const minutes = texts.map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
  const atDistance = (distance: number) => minutes.flatMap((minute, at) => (minute % distance === 0 ? [at] : []))
  const round = distances.map(atDistance).find((places) => places.length <= maxLabels) ?? []
  return round.length > 1 ? round : texts.map((_, at) => at)
}

/** Indexes at which a day begins. The first day has begun before the time does. */
function firstOfDays(texts: readonly string[]): number[] {
  const first = texts.flatMap((text, at) => (text === texts[at - 1] ? [] : [at]))
  return first.length === texts.length ? first : first.slice(1)
}

/** Writes days as the labels below the parts of several days are. */
export function daysOf(timeZone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...day, timeZone })
  return (time) => format.format(Date.parse(time))
}

const day = { month: 'short', day: 'numeric' } as const
