import { z } from 'zod'
import { checked, Refused } from './checked.ts'
import { isJsonNumber } from './json-number.ts'

/** A JSON object of the user. Values are whatever the parser made of them, number objects included. */
export type JsonObject = Record<string, unknown>

/** True for a JSON object: not a list, null or number object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
}

/** Reads a JSON object, which is passed on by reference. */
export function readJsonObject(value: unknown): JsonObject | Refused {
  return isJsonObject(value) ? value : new Refused('dict_type', 'Input should be a valid dictionary')
}

/** Any JSON object, passed on by reference: nothing in it is copied, checked or dropped. */
export const JsonObjectShape = checked<JsonObject>(readJsonObject, { type: 'object' })

/** Any JSON value that must be present, null included; passed on by reference. */
export const JsonValueShape = checked<unknown>((value) => value, {})

/** Any JSON value of a response. */
export const AnyJson = z.unknown()
