const minute = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const forms = {
  minute,
  minuteOfYear: { ...minute, year: 'numeric' },
  second: { ...minute, second: '2-digit' },
  secondOfYear: { ...minute, second: '2-digit', year: 'numeric' },
  exact: { dateStyle: 'medium', timeStyle: 'long' },
  day: { dateStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Created when first needed: it takes longer than everything else that a page does before its first request. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** A time in a form of the user's locale. An invalid time is returned unchanged. */
function textIn(form: keyof typeof forms, value: string, timeZone: string): string {
  const ms = Date.parse(value)
  if (Number.isNaN(ms)) return value
  const key = `${form} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(undefined, { ...forms[form], timeZone })
  formats.set(key, format)
  return format.format(ms)
}

const yearOf = (time: string | number) => new Date(time).getUTCFullYear()

interface TextOptions {
  hasSeconds?: boolean
  nowMs?: number
}

/** A time to the minute or second in the user's locale and a time zone, with its year unless that is the current one. */
export function timeText(value: string, timeZone: string, { hasSeconds = false, nowMs = Date.now() }: TextOptions = {}): string {
  const form = hasSeconds ? 'second' : 'minute'
  return textIn(yearOf(value) === yearOf(nowMs) ? form : `${form}OfYear`, value, timeZone)
}

/** A time to the second with its UTC offset, which distinguishes repeated local times. */
export const exactTimeText = (value: string, timeZone: string) => textIn('exact', value, timeZone)

/** The day of a time in the user's locale. */
export const dayText = (value: string, timeZone: string) => textIn('day', value, timeZone)
