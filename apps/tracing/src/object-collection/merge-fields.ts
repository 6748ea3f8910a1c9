import type { JsonObject } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/**
 * A value with further fields beside its own.
 * @throws 400 where one of them has the name of a field of the value; `source` is the field of the request that they are from.
 */
export function mergeFields(value: JsonObject, { source, fields }: { source: string; fields: JsonObject | null }): JsonObject {
  const taken = Object.keys(fields ?? {}).filter((name) => Object.hasOwn(value, name))
  if (taken.length > 0) {
    throw badRequest(
      `${source} must not contain ${taken.map((name) => `'${name}'`).join(', ')}: the object itself has a field of that name`,
    )
  }
  return { ...value, ...fields }
}
