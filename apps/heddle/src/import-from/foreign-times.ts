import { isJsonNumber } from '@heddle/json'
import type { Json } from './foreign-item.ts'

const dateText = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9})\d*)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i

/**
 * Nanoseconds since 1970 of a time: a date of ISO 8601 or of a database (UTC unless it says otherwise), or a number whose magnitude implies its unit (seconds,
 * milliseconds, microseconds or nanoseconds). Undefined for anything else.
 */
export function toNanoseconds(value: Json): bigint | undefined {
  if (value instanceof Date) return BigInt(value.getTime()) * 1_000_000n
  if (typeof value === 'bigint') return fromNumber(String(value))
  if (typeof value === 'number' || isJsonNumber(value)) return fromNumber(String(value))
  if (typeof value !== 'string') return undefined
  return /^\d+(\.\d+)?$/.test(value) ? fromNumber(value) : fromDate(value)
}

function fromDate(text: string): bigint | undefined {
  const [, day, time = '00:00', fraction = '', zone = 'Z'] = dateText.exec(text.trim()) ?? []
  if (day === undefined) return undefined
  const ms = Date.parse(`${day}T${time}${/^utc$/i.test(zone) ? 'Z' : zone.toUpperCase()}`)
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** Each unit is a thousand times the next: times between 1973 and 5138 are never read in another unit. */
function fromNumber(text: string): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,19})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') return undefined
  const unit = whole.length <= 11 ? 9 : whole.length <= 14 ? 6 : whole.length <= 17 ? 3 : 0
  return BigInt(whole) * 10n ** BigInt(unit) + BigInt(fraction.slice(0, unit).padEnd(unit, '0') || '0')
}
