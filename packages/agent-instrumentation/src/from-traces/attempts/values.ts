import { isJsonNumber } from '@heddle/json/exact'

/** Numbers as JavaScript numbers, booleans as 1 and 0; undefined for anything else, and for numbers that are not finite. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = isJsonNumber(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
