import { isJsonNumber } from '@heddle/json'

/** The native JavaScript number for a number that keeps its written form; any other value unchanged. */
export function plainNumber(value: unknown): unknown {
  return isJsonNumber(value) ? value.valueOf() : value
}
