import { isJsonNumber } from './json-number.ts'

/** A JSON object of the user. Values are whatever the parser made of them, number objects included. */
export type JsonObject = Record<string, unknown>

/** True for a JSON object: not a list, null or number object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
}
