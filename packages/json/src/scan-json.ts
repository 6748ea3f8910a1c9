import { badRequest, tooLarge } from '@heddle/core-api/internal'
import { isExactNumber } from './json-number.ts'

/** Bounds of one JSON text. */
export interface JsonLimits {
  /** Levels of objects and lists. */
  maxDepth: number
  /** Keys of one object, repeated ones included. */
  maxKeys: number
  /** Keys and values of the whole text: each string, number, literal, list and object counts. */
  maxValues: number
}

const quote = 0x22
const backslash = 0x5c

/** Index after the closing quote of the string whose first character is at `start`; -1 when it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (before >= start && text.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return -1
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isNumberPart = (code: number) => isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d

/** Index after the run of digits that starts at `at`. */
function endOfDigits(text: string, at: number): number {
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/**
 * Index after the number literal at `start`, negated when a round trip through a JavaScript number would change the literal.
 * Up to 15 digits always survive, so most literals need no conversion.
 */
function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start) === 0x2d ? start + 1 : start
  const whole = endOfDigits(text, first)
  if (!isNumberPart(text.charCodeAt(whole)) && whole - first <= 15 && (first === start || text.charCodeAt(first) !== 0x30)) return whole
  if (text.charCodeAt(whole) === 0x2e && (text.charCodeAt(first) !== 0x30 || text.charCodeAt(whole + 1) !== 0x30)) {
    const fraction = endOfDigits(text, whole + 1)
    if (!isNumberPart(text.charCodeAt(fraction)) && fraction - first <= 16 && fraction > whole + 1) {
      return text.charCodeAt(fraction - 1) === 0x30 ? -fraction : fraction
    }
  }
  let end = whole
  while (isNumberPart(text.charCodeAt(end))) end++
  return isExactNumber(text.slice(start, end)) ? end : -end
}

/** The first letter of `true`, `false` or `null`, which occurs only once in each. */
const startsLiteral = (code: number) => code === 0x74 || code === 0x66 || code === 0x6e

/** The parser that a JSON text requires. */
export interface JsonScan {
  /** Whether native `JSON.parse` preserves every number. */
  keepsNumbers: boolean
  /** Keys and values, as in `JsonLimits`; of a text with a syntax error those before it. */
  values: number
}

/**
 * Scans a JSON text once, without recursion. Does not validate: it stops at the first syntax error, which the parser will report.
 * @throws ApiError 413 beyond `maxDepth` and `maxValues`, 400 beyond `maxKeys`
 */
export function scanJson(text: string, limits: JsonLimits): JsonScan {
  const members = new Int32Array(limits.maxDepth + 1)
  let depth = 0
  let keepsNumbers = true
  let values = 0
  const count = () => {
    if (++values > limits.maxValues)
      throw tooLarge(`the JSON of the request has more than ${limits.maxValues} keys and values; send it in smaller parts`)
  }
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      count()
      at = endOfString(text, at + 1)
      if (at < 0) return { keepsNumbers, values }
    } else if (code === 0x2d || isDigit(code)) {
      count()
      const end = endOfNumber(text, at)
      keepsNumbers &&= end > 0
      at = Math.abs(end)
    } else {
      if (code === 0x7b || code === 0x5b) {
        count()
        if (++depth > limits.maxDepth) throw tooLarge()
        members[depth] = 0
      } else if (code === 0x7d || code === 0x5d) {
        if (--depth < 0) return { keepsNumbers, values }
      } else if (code === 0x3a && ++members[depth]! > limits.maxKeys) {
        throw badRequest(`an object of the request has more than ${limits.maxKeys} keys; send them as a list or in several objects`)
      } else if (startsLiteral(code)) count()
      at++
    }
  }
  return { keepsNumbers, values }
}
