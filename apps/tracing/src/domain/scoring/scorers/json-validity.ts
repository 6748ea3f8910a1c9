import type { JsonObject } from '@heddle/core-api'
import { isApiError } from '@heddle/core-api'
import { parseJson } from '@heddle/json'
import { partAt } from '../subject.ts'
import { type Judge, readSettings } from './settings.ts'

/** Why a value does not satisfy a JSON Schema; undefined where it does. */
export type FindMismatch = (schema: unknown, value: unknown) => string | undefined

/**
 * `{"valid": boolean, "reason": text or null}`: whether the output is JSON, as a text or as a value, and satisfies `schema` where the scorer
 * has one.
 */
export function jsonValidity(value: JsonObject, findMismatch: FindMismatch): Judge {
  const path = readSettings(value).textOrNull('output_path')
  const schema = value['schema'] ?? null
  return ({ output }) => {
    const parsed = read(partAt(output, path))
    if ('reason' in parsed) return { valid: false, reason: parsed.reason }
    const reason = schema === null ? undefined : findMismatch(schema, parsed.value)
    return { valid: reason === undefined, reason: reason ?? null }
  }
}

function read(part: unknown): { value: unknown } | { reason: string } {
  if (part === undefined) return { reason: 'no output' }
  if (typeof part !== 'string') return { value: part }
  try {
    return { value: parseJson(part) }
  } catch (error) {
    if (!isApiError(error)) throw error
    return { reason: error.message }
  }
}
