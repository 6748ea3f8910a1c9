import type { JsonObject } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/**
 * A value with further fields.
 * @throws 400 if one of them has the name of a field of the value; `source` is the field of the request that contains them.
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
