import type { JsonObject } from '@heddle/core-api'

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; none where it is not a list. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Undefined for a text that is not a JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The `id` of each value that has one. */
export function idsOf(...values: readonly JsonObject[]): string[] {
  return values.map(({ id }) => id).filter((id) => typeof id === 'string')
}
