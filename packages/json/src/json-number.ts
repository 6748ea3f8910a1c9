const mark = Symbol.for('heddle.JsonNumber')

/**
 * A number of a JSON text that JavaScript cannot hold as it was written: `1.0`, `1e3`, `-0`, an integer beyond 2^53, `1e400`.
 * `text` is the literal as sent. `stringifyJson` writes it back unchanged; native `JSON.stringify` would not, so it throws.
 */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get [mark](): true {
    return true
  }

  /** The nearest double; infinite beyond its range. */
  valueOf(): number {
    return Number(this.text)
  }

  toString(): string {
    return this.text
  }

  /** @throws TypeError always: the native writer has no way to keep the literal. */
  toJSON(): never {
    throw new TypeError(`the number ${this.text} keeps its form only when it is written with stringifyJson`)
  }
}

/** True for a `JsonNumber` of any copy of this package. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'object' && value !== null && mark in value
}

/** True when the literal has neither a fraction nor an exponent, however large it is. */
export function isInteger(number: JsonNumber): boolean {
  return /^-?\d+$/.test(number.text)
}

/** True when a JavaScript number gives this literal back, and an integer is one that JavaScript counts exactly. */
export function isExactNumber(literal: string): boolean {
  const number = Number(literal)
  return String(number) === literal && (!Number.isInteger(number) || Number.isSafeInteger(number))
}
