import { JsonText } from '@heddle/core-api/internal'
import { isInteger, isJsonNumber, type JsonNumber } from './json-number.ts'
import { parseJson } from './parse-json.ts'

/**
 * The one text of a JSON value that digests are taken over: keys sorted by code point, `, ` and `: ` between parts, ASCII only,
 * integers as digits and floats in their shortest form with a fraction or an exponent. `undefined` members are left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return asciiString(value)
  if (typeof value === 'number') return jsNumber(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(', ')}]`
  if (isJsonNumber(value)) return numberLiteral(value)
  if (value instanceof JsonText) return canonicalJson(parseJson(value.json, { loneSurrogates: 'keep' }))
  return canonicalObject(value as Record<string, unknown>)
}

function canonicalObject(object: Record<string, unknown>): string {
  const members: string[] = []
  for (const key of sortedByCodePoint(Object.keys(object))) {
    const value = object[key]
    if (value !== undefined) members.push(`${asciiString(key)}: ${canonicalJson(value)}`)
  }
  return `{${members.join(', ')}}`
}

const surrogate = /[\ud800-\udfff]/

/** The native order is by UTF-16 unit, which differs only where a surrogate meets U+E000..U+FFFF. */
function sortedByCodePoint(keys: string[]): string[] {
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareCodePoints) : keys.sort()
}

function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at)
    const b = right.charCodeAt(at)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Puts surrogates, which stand for characters beyond U+FFFF, after every other unit. */
const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

function asciiString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
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
