import { isJsonNumber } from '@heddle/json'

/**
 * JSON for the schema compiler: numbers are native JavaScript numbers, except whole numbers beyond 2^53, which are of type `bigint`. A number beyond 1.8e308
 * becomes infinite.
 */
export function toSchemaJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonNumber(value)) return toSchemaNumber(value.text)
  if (Array.isArray(value)) return value.map(toSchemaJson)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toSchemaJson(member)]))
}

function toSchemaNumber(text: string): number | bigint {
  const number = Number(text)
  if (!Number.isFinite(number) || Number.isSafeInteger(number)) return number
  return wholeNumber(text) ?? number
}

/** Null for a number with a fraction. */
function wholeNumber(text: string): bigint | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(text)!
  const digits = whole + fraction
  const zeros = Number(exponent) - fraction.length
  if (zeros >= 0) return BigInt(`${sign}${digits}${'0'.repeat(zeros)}`)
  return /^0+$/.test(digits.slice(zeros)) ? BigInt(`${sign}${digits.slice(0, zeros)}`) : null
}
