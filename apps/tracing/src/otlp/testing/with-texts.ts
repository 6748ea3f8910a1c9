import { SentJson } from '../json-value.ts'

/** A decoded request whose JSON texts are texts again: what a decoder has looked at already does not make a difference. */
export function withTexts<T>(value: T): T {
  return textsIn(value) as T
}

function textsIn(value: unknown): unknown {
  if (value instanceof SentJson) return value.json
  if (Array.isArray(value)) return value.map(textsIn)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, textsIn(member)]))
}
