import { z } from 'zod'
import { checked, Refusal } from './checked.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'

/** Reads a JSON object, which is passed on by reference. */
export function readJsonObject(value: unknown): JsonObject | Refusal {
  return isJsonObject(value) ? value : new Refusal('dict_type', 'Input should be a valid dictionary')
}

/** Any JSON object, passed on by reference: nothing in it is copied, checked or dropped. */
export const JsonObjectShape = checked<JsonObject>(readJsonObject, { type: 'object' })

/** Any JSON value that must be present, null included; passed on by reference. */
export const JsonValueShape = checked<unknown>((value) => value, {})

/** Any JSON value of a response. */
export const AnyJson = z.unknown()
