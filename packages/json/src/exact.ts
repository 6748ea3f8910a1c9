import { scanJson } from './scan-json.ts'
import { parseLossless } from './parse-lossless.ts'
import { stringifyJson } from './stringify-json.ts'
import { isJsonNumber } from './json-number.ts'

export { isJsonNumber, JsonNumber } from './json-number.ts'
export { stringifyJson }

/** More levels than any value that a service takes; a text with more is parsed with the numbers of JavaScript. */
const maxDepth = 10_000

/**
 * Parses JSON in a browser as `parseJson` does on a server: a number that JavaScript would write differently (`1.0`, `-0`, an integer beyond
 * 2^53, `1e400`) is a `JsonNumber`, every other one a number.
 * @throws SyntaxError where the text is not JSON
 */
export function parseExactJson(text: string): unknown {
  const native: unknown = JSON.parse(text)
  return keepsNumbers(text) ? native : parseLossless(text, (string) => string)
}

function keepsNumbers(text: string): boolean {
  try {
    return scanJson(text, { maxDepth, maxKeys: Infinity, maxValues: Infinity }).keepsNumbers
  } catch {
    return true
  }
}

/** JSON text with two spaces a level, as `JSON.stringify(value, null, 2)` writes it, with numbers as they were sent. */
export function printJson(value: unknown): string {
  return print(value, '\n')
}

function print(value: unknown, line: string): string {
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return stringifyJson(value)
  const inner = `${line}  `
  const [open, close, members] = Array.isArray(value)
    ? ['[', ']', value.map((member) => print(member, inner))]
    : ['{', '}', membersOf(value).map(([name, member]) => `${JSON.stringify(name)}: ${print(member, inner)}`)]
  return members.length === 0 ? open + close : `${open}${inner}${members.join(`,${inner}`)}${line}${close}`
}

const membersOf = (value: object) => Object.entries(value).filter(([, member]) => member !== undefined)
