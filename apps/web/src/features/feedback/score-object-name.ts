import { toObjectName } from '@heddle/core-api/internal'

/** The name of the spec of a score. @throws Error for a name of which no character can be in it */
export function scoreObjectName(name: string): string {
  const object_id = toObjectName(name)
  if (object_id === '') throw new Error(`The name "${name.trim()}" needs a letter from a to z or a digit.`)
  return object_id
}
