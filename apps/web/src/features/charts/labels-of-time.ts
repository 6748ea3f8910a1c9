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
  const first = isOneDay ? texts.map((_, at) => at) : texts.flatMap((text, at) => (text === texts[at - 1] ? [] : [at]))
  // The first day has begun before the time does.
  const places = isOneDay || first.length === texts.length ? first : first.slice(1)
  return places.map((at) => ({ at, text: texts[at] ?? '' }))
}

/** Writes days as the labels below the parts of several days are. */
export function daysOf(timeZone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...day, timeZone })
  return (time) => format.format(Date.parse(time))
}

const day = { month: 'short', day: 'numeric' } as const
