import { isJsonNumber } from '@heddle/json/exact'
import { toText } from '../../../lib/texts/to-text.ts'

/** A value as text that is compared with that of another: the keys of objects in one order, so that only values differ. */
export const comparableText = (value: unknown): string => toText(sorted(value))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
