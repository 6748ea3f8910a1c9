import { parseRef } from '@heddle/core-api'

/** Name of the object that a reference names; undefined for any other value. */
export function objectNameOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const ref = parseRef(value)
  return ref !== undefined && (ref.kind === 'object' || ref.kind === 'op') ? ref.name : undefined
}
