import { stringifyJson } from '@heddle/json'

/** The same JSON with JavaScript's own numbers, for code that knows no others. */
export function toPlainJson(value: unknown): unknown {
  return JSON.parse(stringifyJson(value)) as unknown
}
