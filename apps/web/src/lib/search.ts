/** Reads one search parameter. Undefined if it is absent or not a text: users type addresses, and programs shorten them. */
export function textOf(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** One of some words; undefined for any other. */
export function wordOf<const Word extends string>(search: Record<string, unknown>, name: string, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === search[name])
}

/** A text parameter; `true` and `false` typed by a user have been parsed as booleans. */
export const textOrBooleanOf = (search: Record<string, unknown>, name: string): string | undefined =>
  typeof search[name] === 'boolean' ? String(search[name]) : textOf(search, name)

/** A whole number from 1; undefined for all else. */
export function wholeOf(search: Record<string, unknown>, name: string): number | undefined {
  const value = Number(search[name])
  return Number.isSafeInteger(value) && value >= 1 ? value : undefined
}

/** A whole number from 0; undefined for all else. */
export function countOf(search: Record<string, unknown>, name: string): number | undefined {
  const value = search[name]
  const number = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** Any finite number; undefined for all else. */
export function numberOf(search: Record<string, unknown>, name: string): number | undefined {
  const value = search[name]
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}
