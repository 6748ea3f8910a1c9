const mark = Symbol.for('heddle.JsonNumber')

/** A number of a parsed request whose written form a JavaScript number would lose. */
export interface JsonNumberLike {
  readonly text: string
}

/** True for a number object of the number-preserving parser, of whichever copy. */
export function isJsonNumber(value: unknown): value is JsonNumberLike {
  return typeof value === 'object' && value !== null && mark in value
}

/** The decimal text of a number as it was written; undefined when the value is not a number. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return isJsonNumber(value) ? value.text : undefined
}

/** True when some part of a JSON value is such a number, which the native writer refuses. */
export function holdsJsonNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isJsonNumber(value) || Object.values(value).some(holdsJsonNumber)
}
