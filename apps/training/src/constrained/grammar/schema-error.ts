import { stringifyJson } from '@heddle/json'

/** A schema that cannot be followed. The message names the keyword and where it is (RFC 6901). */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** A value of a schema, for messages. */
export function shownValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : stringifyJson(value)
}

/** The document, or a location in it, for messages. */
export function placeOf(pointer: string): string {
  return pointer === '' ? 'the schema' : `the schema at ${pointer}`
}
