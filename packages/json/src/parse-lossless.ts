import type { ApiError } from '@heddle/core-api'
import { invalid } from '@heddle/core-api/internal'
import { isExactNumber, JsonNumber } from './json-number.ts'
import { endOfString } from './scan-json.ts'

/** 422 in the shape of a schema finding. `position` counts characters from 0. */
export function jsonInvalid(position: number, problem: string): ApiError {
  return invalid([{ loc: ['body'], msg: `JSON decode error at position ${position}: ${problem}`, type: 'json_invalid' }])
}

const numberLiteral = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const needsDecoding = /[\\\u0000-\u001f]/

/** Parses strictly as JSON and keeps number literals. Recursive: the caller has bounded the depth of `text`. */
class LosslessParser {
  readonly #text: string
  readonly #repairString: (text: string) => string
  #at = 0

  constructor(text: string, repairString: (text: string) => string) {
    this.#text = text
    this.#repairString = repairString
  }

  document(): unknown {
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#unexpected('the end')
    return value
  }

  #value(): unknown {
    this.#skipSpace()
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x22:
        return this.#string()
      case 0x7b:
        return this.#object()
      case 0x5b:
        return this.#list()
      case 0x74:
        return this.#word('true', true)
      case 0x66:
        return this.#word('false', false)
      case 0x6e:
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.#at++
    if (this.#skipTo(0x7d)) return object
    do {
      this.#skipSpace()
      if (this.#text.charCodeAt(this.#at) !== 0x22) throw this.#unexpected('a key in double quotes')
      const key = this.#string()
      if (!this.#skipTo(0x3a)) throw this.#unexpected('":"')
      const value = this.#value()
      if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
      else object[key] = value
    } while (this.#skipTo(0x2c))
    if (!this.#skipTo(0x7d)) throw this.#unexpected('"," or "}"')
    return object
  }

  #list(): unknown[] {
    const list: unknown[] = []
    this.#at++
    if (this.#skipTo(0x5d)) return list
    do list.push(this.#value())
    while (this.#skipTo(0x2c))
    if (!this.#skipTo(0x5d)) throw this.#unexpected('"," or "]"')
    return list
  }

  #string(): string {
    const start = this.#at + 1
    const end = endOfString(this.#text, start)
    if (end < 0) throw jsonInvalid(this.#at, 'the string is not closed')
    const raw = this.#text.slice(start, end - 1)
    const decoded = needsDecoding.test(raw) ? this.#repairString(this.#decoded(raw)) : ownCopy(raw)
    this.#at = end
    return decoded
  }

  #decoded(raw: string): string {
    try {
      return JSON.parse(`"${raw}"`) as string
    } catch {
      throw jsonInvalid(this.#at, 'the string has a bad escape or a control character')
    }
  }

  #number(): number | JsonNumber {
    numberLiteral.lastIndex = this.#at
    const literal = numberLiteral.exec(this.#text)?.[0]
    if (literal === undefined) throw this.#unexpected('a value')
    this.#at += literal.length
    return isExactNumber(literal) ? Number(literal) : new JsonNumber(literal)
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected('a value')
    this.#at += word.length
    return value
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at++
    }
  }

  /** Skips white space and then `code`; false when something else stands there. */
  #skipTo(code: number): boolean {
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }

  #unexpected(expected: string): ApiError {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text[this.#at]) : 'the end'
    return jsonInvalid(this.#at, `expected ${expected}, found ${found}`)
  }
}

/** A slice keeps the whole request alive for as long as it is kept; short strings are what gets kept, as ids in caches. */
function ownCopy(slice: string): string {
  return slice.length > 12 && slice.length < 1024 ? ` ${slice}`.slice(1) : slice
}

/**
 * Parses a JSON text whose depth is known to be bounded. Numbers that JavaScript would change become `JsonNumber`; the last of equal keys wins.
 * @param repairString sees every string that was written with escapes
 * @throws ApiError 422 with the position of the first error
 */
export function parseLossless(text: string, repairString: (text: string) => string): unknown {
  return new LosslessParser(text, repairString).document()
}
