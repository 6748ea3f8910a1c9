import { JsonText } from '@heddle/core-api/internal'
import { jsonString } from './json-string.ts'
import { isInteger, isJsonNumber, type JsonNumber } from './json-number.ts'
import { parseJson } from './parse-json.ts'
import { TextPieces } from './text-pieces.ts'

/**
 * The unique text of a JSON value over which digests are computed: keys sorted by code point, `, ` and `: ` between parts, ASCII only, integers as
 * digits and floats in their shortest form with a fraction or an exponent. `undefined` members are omitted.
 */
export function canonicalJson(value: unknown): string {
  const pieces = new TextPieces()
  write(value, pieces)
  return pieces.text()
}

/**
 * True if the canonical text of a JSON value has more than `maxLength` characters. Writes no more than that: a value that is far too long costs no more than
 * one that is just too long.
 */
export function exceedsCanonicalLength(value: unknown, maxLength: number): boolean {
  const tooLong = new Error('the canonical text is too long')
  let left = maxLength
  const count = (part: string): void => {
    left -= part.length
    if (left < 0) throw tooLong
  }
  try {
    write(value, { add: count })
    return false
  } catch (error) {
    if (error === tooLong) return true
    throw error
  }
}

type Pieces = Pick<TextPieces, 'add'>

function write(value: unknown, pieces: Pieces): void {
  if (typeof value === 'string') pieces.add(asciiString(value))
  else if (typeof value === 'number') pieces.add(jsNumber(value))
  else if (typeof value === 'bigint' || typeof value === 'boolean') pieces.add(String(value))
  else if (typeof value !== 'object' || value === null) pieces.add('null')
  else if (Array.isArray(value)) writeList(value, pieces)
  else if (isJsonNumber(value)) pieces.add(numberLiteral(value))
  else if (value instanceof JsonText) write(parseJson(value.json, { loneSurrogates: 'keep' }), pieces)
  else writeObject(value as Record<string, unknown>, pieces)
}

function writeList(list: readonly unknown[], pieces: Pieces): void {
  let opening = '['
  for (const element of list) {
    pieces.add(opening)
    write(element, pieces)
    opening = ', '
  }
  pieces.add(opening === '[' ? '[]' : ']')
}

function writeObject(object: Record<string, unknown>, pieces: Pieces): void {
  let opening = '{'
  for (const key of sortedByCodePoint(Object.keys(object))) {
    const value = object[key]
    if (value === undefined) continue
    pieces.add(`${opening}${asciiString(key)}: `)
    write(value, pieces)
    opening = ', '
  }
  pieces.add(opening === '{' ? '{}' : '}')
}

const surrogate = /[\ud800-\udfff]/

/** The native order is by UTF-16 unit, which differs only where a surrogate meets U+E000..U+FFFF. */
function sortedByCodePoint(keys: string[]): string[] {
  if (keys.length < 2) return keys
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareCodePoints) : keys.sort()
}

/** Orders texts by their code points, as the bytes of their UTF-8 form are ordered. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Ranks surrogates, which encode characters beyond U+FFFF, after every other unit. */
const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

const beyondAscii = /[\u007f-\uffff]/

function asciiString(text: string): string {
  const quoted = jsonString(text)
  if (!beyondAscii.test(quoted)) return quoted
  return quoted.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** JSON writes an integer in one way only, with the exception of zero. */
function numberLiteral(number: JsonNumber): string {
  if (!isInteger(number)) return floatText(Number(number.text))
  return number.text === '-0' ? '0' : number.text
}

function jsNumber(number: number): string {
  return Number.isInteger(number) && Math.abs(number) < 1e21 ? String(number) : floatText(number)
}

/** Shortest digits that give the same double: fixed for exponents -4 to 15, else `d.ddde+xx` with at least two digits of exponent. */
function floatText(number: number): string {
  if (!Number.isFinite(number)) return String(number)
  if (number === 0) return Object.is(number, -0) ? '-0.0' : '0.0'
  const size = Math.abs(number)
  if (size < 1e-4 || size >= 1e16) return withExponent(number)
  const fixed = String(number)
  return fixed.includes('.') ? fixed : `${fixed}.0`
}

function withExponent(number: number): string {
  const [mantissa = '', exponentText = ''] = number.toExponential().split('e')
  const exponent = Number(exponentText)
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}
