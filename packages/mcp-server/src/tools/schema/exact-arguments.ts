import { isJsonNumber, type JsonNumber, parseExactJson } from '@heddle/json/exact'

/** What a number that JavaScript would round becomes. */
type Replace = (number: JsonNumber) => unknown

/**
 * A message of the protocol, or a batch, whose arguments keep numbers that JavaScript would round, such as integers beyond 2^53, as `JsonNumber`s
 * or as what `replace` returns. Undefined for a text without any.
 * @throws SyntaxError if a text with such a number is not JSON
 */
export function parseMessage(text: string, replace: Replace = (number) => number): unknown {
  if (!mayBeRounded.test(text)) return undefined
  let found = false
  const exact = parseExactJson(text)
  const message = replaceNumbers(exact, (number, isArgument) => {
    if (!isArgument || isHeld(number.text)) return Number(number.text)
    found = true
    return replace(number)
  })
  return found ? message : undefined
}

/**
 * Every number that JavaScript rounds has 16 digits or a long exponent. Most messages have neither, and are not parsed again: that takes longer than
 * `JSON.parse`.
 */
const mayBeRounded = /\d[\d.]{15}|\d[eE][+-]?\d{3}/

/** Replaces numbers in place, since a copy of a large message would take as long as parsing it. */
function replaceNumbers(message: unknown, replace: (number: JsonNumber, isArgument: boolean) => unknown): unknown {
  const walk = (value: unknown, path: 'message' | 'params' | 'arguments' | 'other'): unknown => {
    if (isJsonNumber(value)) return replace(value, path === 'arguments')
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) value[at] = walk(value[at], path)
    } else if (typeof value === 'object' && value !== null) {
      const members = value as Record<string, unknown>
      for (const name of Object.keys(members)) {
        const member = members[name]
        if (typeof member === 'object' && member !== null) members[name] = walk(member, pathOf(path, name))
      }
    }
    return value
  }
  return walk(message, 'message')
}

function pathOf(path: 'message' | 'params' | 'arguments' | 'other', name: string) {
  if (path === 'message') return name === 'params' ? 'params' : 'other'
  if (path === 'params') return name === 'arguments' ? 'arguments' : 'other'
  return path
}

/** An argument that came as JSON text, with numbers that JavaScript would round as `JsonNumber`s. @throws SyntaxError if it is not JSON */
export const parseArgument = (text: string): unknown => keepInexact(parseExactJson(text), (number) => number)

function keepInexact(value: unknown, replace: Replace): unknown {
  if (isJsonNumber(value)) return isHeld(value.text) ? Number(value.text) : replace(value)
  return mapMembers(value, (member) => keepInexact(member, replace))
}

/** The value, with each entry of a list or member of an object replaced. */
export function mapMembers(value: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]))
}

/** Whether the nearest number of JavaScript has the same digits: `1.0` is 1, and `9007199254740993` is another integer than the nearest. */
const isHeld = (literal: string) => digitsOf(literal) === digitsOf(String(Number(literal)))

/** The digits of a literal without zeros at either end, and the power of ten of the last one. */
function digitsOf(literal: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal)
  if (parts === null) return literal
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return '0'
  const shorter = digits.replace(/0+$/, '')
  return `${sign}${shorter}e${Number(exponent) - fraction.length + digits.length - shorter.length}`
}
