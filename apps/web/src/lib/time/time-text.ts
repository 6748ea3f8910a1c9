interface Formats {
  short: Intl.DateTimeFormat
  exact: Intl.DateTimeFormat
  day: Intl.DateTimeFormat
}

/** Created with the first time that is shown in a zone: it takes longer than everything else that a page does before its first request. */
const formats = new Map<string, Formats>()

function formatsOf(timeZone: string): Formats {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = {
    short: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    exact: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', timeZone }),
    day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone }),
  }
  formats.set(timeZone, made)
  return made
}

/** A time to the minute in the user's locale and a time zone. An invalid time is returned unchanged. */
export function timeText(value: string, timeZone: string): string {
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? value : formatsOf(timeZone).short.format(ms)
}

/** A time to the second with its UTC offset, which distinguishes repeated local times. An invalid time is returned unchanged. */
export function exactTimeText(value: string, timeZone: string): string {
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? value : formatsOf(timeZone).exact.format(ms)
}

/** The day of a time in the user's locale. An invalid time is returned unchanged. */
export function dayText(value: string, timeZone: string): string {
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? value : formatsOf(timeZone).day.format(ms)
}
