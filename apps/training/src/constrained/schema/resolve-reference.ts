import { placeOf, SchemaError, shownValue } from '../grammar/schema-error.ts'

/** The schema in `root` that a reference within the same document names, as `#`, `#/$defs/name` or any JSON pointer (RFC 6901). @throws SchemaError */
export function resolveReference(root: unknown, reference: unknown, pointer: string): unknown {
  if (typeof reference !== 'string' || !(reference === '#' || reference.startsWith('#/'))) {
    throw new SchemaError(
      `${placeOf(pointer)} has $ref ${shownValue(reference)}; only references within it are followed, such as "#/$defs/name"`,
    )
  }
  let value = root
  for (const part of reference.split('/').slice(1)) {
    const key = unescapePart(part, reference, pointer)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      throw new SchemaError(`${placeOf(pointer)} has $ref "${reference}", and there is nothing at "${key}"`)
    }
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function unescapePart(part: string, reference: string, pointer: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new SchemaError(`${placeOf(pointer)} has $ref "${reference}", which is not a pointer`)
  }
}
