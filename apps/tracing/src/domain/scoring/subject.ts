import type { JsonObject } from '@heddle/core-api'
import { isJsonNumber, valueAt } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json'

/** The subject of a scorer: an output, and the inputs that led to it. */
export interface Subject {
  /** Output of the model or of the call. */
  output: unknown
  /** Columns of the dataset row, or inputs of the call. */
  row: JsonObject
}

/** A scorer that is invalid, or cannot judge a subject. */
export class ScorerError extends Error {
  override readonly name = 'ScorerError'
}

/** The part of a value at a dotted path; the whole value without one. Undefined if there is none. */
export function partAt(value: unknown, path: string | null): unknown {
  if (path === null || path === '') return value
  return valueAt(value, path)
}

/** A value as text: a text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? null)
}

/** @throws ScorerError for a text that is too long to compare */
export function checkLength(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  throw new ScorerError(`a text of ${text.length} characters is too long to compare; the maximum is ${maxLength}`)
}

/** A number, or a text that is one; undefined for anything else. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number' || isJsonNumber(value)) return Number(value)
  const isNumeric = typeof value === 'string' && value.length <= 400 && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
  return isNumeric ? Number(value) : undefined
}
