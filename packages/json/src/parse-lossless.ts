import type { ApiError } from '@heddle/core-api'
import { invalid, type Pace } from '@heddle/core-api/internal'
import { isExactNumber, JsonNumber } from './json-number.ts'
import { endOfString } from './scan-json.ts'

/** 422 in the shape of a schema finding. `position` counts characters from 0. */
function jsonInvalid(position: number, problem: string): ApiError {
  return invalid([{ loc: ['body'], msg: `JSON decode error at position ${position}: ${problem}`, type: 'json_invalid' }])
}

const numberLiteral = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const needsDecoding = /[\\\u0000-\u001f]/

/** Parses strictly as JSON and keeps number literals. Without recursion, so that it can stop between two values. */
class LosslessParser {
  readonly #text: string
  readonly #repairString: (text: string) => string
  #at = 0
  /** Objects and lists that are not closed, and the key under which the next value of each object belongs. */
  readonly #open: (Record<string, unknown> | unknown[])[] = []
  readonly #keys: string[] = []
  #document: unknown
  #hasEnded = false

  constructor(text: string, repairString: (text: string) => string) {
    this.#text = text
    this.#repairString = repairString
  }

  /** Once `read` returned true. */
  get document(): unknown {
    return this.#document
  }

  /** Reads at most so many further values. True once the document is complete. */
  read(most: number): boolean {
    for (let left = most; left > 0 && !this.#hasEnded; left--) this.#next()
    return this.#hasEnded
  }

  #next(): void {
    this.#skipSpace()
    const code = this.#text.charCodeAt(this.#at)
    if (code === 0x7b) {
      this.#at++
      if (this.#skipTo(0x7d)) return this.#add({})
      this.#open.push({})
      this.#keys.push('')
      return this.#readKey()
    }
    if (code === 0x5b) {
      this.#at++
      if (this.#skipTo(0x5d)) return this.#add([])
      return void this.#open.push([])
    }
    this.#add(this.#scalar(code))
  }

  #scalar(code: number): unknown {
    switch (code) {
      case 0x22:
        return this.#string()
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

  /** Adds a complete value to what contains it, and closes what ends with it. */
  #add(value: unknown): void {
    let complete = value
    for (let container = this.#open.at(-1); container !== undefined; container = this.#open.at(-1)) {
      if (Array.isArray(container)) {
        container.push(complete)
        if (this.#skipTo(0x2c)) return
        if (!this.#skipTo(0x5d)) throw this.#unexpected('"," or "]"')
      } else {
        setMember(container, this.#keys.at(-1)!, complete)
        if (this.#skipTo(0x2c)) return this.#readKey()
        if (!this.#skipTo(0x7d)) throw this.#unexpected('"," or "}"')
        this.#keys.pop()
      }
      this.#open.pop()
      complete = container
    }
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#unexpected('the end')
    this.#document = complete
    this.#hasEnded = true
  }

  #readKey(): void {
    this.#skipSpace()
    if (this.#text.charCodeAt(this.#at) !== 0x22) throw this.#unexpected('a key in double quotes')
    this.#keys[this.#keys.length - 1] = this.#string()
    if (!this.#skipTo(0x3a)) throw this.#unexpected('":"')
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

  /** Skips white space and then `code`; false if another character follows. */
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

/** A slice keeps the whole request in memory; mostly short strings are kept for long, as ids in caches. */
function ownCopy(slice: string): string {
  return slice.length > 12 && slice.length < 1024 ? ` ${slice}`.slice(1) : slice
}

function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

/**
 * Parses a JSON text. Numbers that JavaScript would change become `JsonNumber`; the last of equal keys wins.
 * @param repairString sees every string that was written with escapes
 * @throws ApiError 422 with the position of the first error
 */
export function parseLossless(text: string, repairString: (text: string) => string): unknown {
  const parser = new LosslessParser(text, repairString)
  parser.read(Infinity)
  return parser.document
}

/** Values that are read before yielding to the event loop. */
const valuesOfTurn = 1_000

/** The same, but yields to the event loop. */
export async function parseLosslessPaced(text: string, repairString: (text: string) => string, pace: Pace): Promise<unknown> {
  const parser = new LosslessParser(text, repairString)
  while (!parser.read(valuesOfTurn)) {
    const turn = pace()
    if (turn) await turn
  }
  return parser.document
}
