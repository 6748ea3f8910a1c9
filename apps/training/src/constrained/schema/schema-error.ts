/** A schema that cannot be followed. The message names the keyword and where it is (RFC 6901). */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** The document, or a place in it, for messages. */
export function placeOf(pointer: string): string {
  return pointer === '' ? 'the schema' : `the schema at ${pointer}`
}
