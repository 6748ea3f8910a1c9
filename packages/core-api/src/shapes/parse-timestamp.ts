import { numberText } from './json-number.ts'

/** Microseconds since 1970-01-01T00:00:00Z, an integer. */
export type Micros = number

const earliest = Date.UTC(1900, 0, 1) * 1000
const isoDateTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)?(?: ?([Zz])| ?([+-])(\d{2}):?(\d{2})?)?)?$/
const decimal = /^([+-]?)(\d{0,100})(?:\.(\d{0,100}))?(?:[eE]([+-]?\d{1,3}))?$/

/** Above this size a number counts milliseconds, not seconds. */
const secondsLimit = 2e10

/**
 * Reads an ISO 8601 date or date-time (no zone means UTC), or unix seconds as a number or text (milliseconds above 2e10).
 * Digits beyond microseconds are cut off. Undefined when the value is neither, or lies outside 1900-01-01 to 2255-06-05.
 * @example
 * parseTimestamp('2026-01-02T03:04:05.5Z') // 1767323045500000
 * parseTimestamp('yesterday') // undefined
 */
export function parseTimestamp(value: unknown): Micros | undefined {
  const text = typeof value === 'string' ? value.trim() : numberText(value)
  if (text === undefined) return undefined
  const micros = (typeof value === 'string' ? parseIso(text) : undefined) ?? parseUnix(text)
  return micros !== undefined && micros >= earliest && micros <= Number.MAX_SAFE_INTEGER ? micros : undefined
}

function parseIso(text: string): Micros | undefined {
  const match = isoDateTime.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', , sign, zoneHours = '0', zoneMinutes = '0'] = match
  // Unlike `Date.UTC`, this does not take the years 0 to 99 for those after 1900.
  const millis = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const isDay = new Date(millis).getUTCDate() === Number(day) && Number(month) >= 1 && Number(month) <= 12
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 && Number(zoneHours) < 24 && Number(zoneMinutes) < 60
  if (!isDay || !isTime) return undefined
  const offsetMinutes = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  const seconds = millis / 1000 + (Number(hour) * 60 + Number(minute) - offsetMinutes) * 60 + Number(second)
  return seconds * 1e6 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

function parseUnix(text: string): Micros | undefined {
  const match = decimal.exec(text)
  if (!match || (!match[2] && !match[3])) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const places = Math.abs(Number(text)) > secondsLimit ? 3 : 6
  // Shifting the written digits is exact where multiplying a double is not.
  const shift = places + Number(exponent)
  const digits = whole + fraction
  const end = whole.length + shift
  if (end > 120) return undefined
  const micros = Number(digits.slice(0, Math.max(end, 0)).padEnd(Math.max(end, 0), '0'))
  return sign === '-' && micros !== 0 ? -micros : micros
}

/**
 * ISO 8601 in UTC with `Z`; six digits of microseconds when they are not zero.
 * @example
 * formatTimestamp(1767323045500000) // '2026-01-02T03:04:05.500000Z'
 */
export function formatTimestamp(micros: Micros): string {
  const seconds = Math.floor(micros / 1e6)
  const rest = micros - seconds * 1e6
  const text = new Date(seconds * 1000).toISOString().slice(0, 19)
  return rest === 0 ? `${text}Z` : `${text}.${String(rest).padStart(6, '0')}Z`
}
