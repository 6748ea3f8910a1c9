import { strip } from './strings.ts'

/** What Python's `int` and `float` read in a text; null where they raise. Digits of other scripts count as the ASCII ones. */

const prefixes: ReadonlyMap<number, string> = new Map([
  [2, '0b'],
  [8, '0o'],
  [16, '0x'],
])

export function parseInteger(text: string, base = 10): bigint | null {
  const plain = toAsciiDigits(strip(text, null, 'both')).toLowerCase()
  const [, sign, body] = /^([+-]?)(.*)$/s.exec(plain)!
  const prefix = prefixes.get(base)
  const given = prefix !== undefined && body!.startsWith(prefix) ? body!.slice(prefix.length).replace(/^_/, '') : body!
  if (!/^[\da-z]+(?:_[\da-z]+)*$/.test(given)) return null
  let value = 0n
  for (const digit of given.replaceAll('_', '')) {
    const read = Number.parseInt(digit, 36)
    if (read >= base) return null
    value = value * BigInt(base) + BigInt(read)
  }
  return sign === '-' ? -value : value
}

export function parseFloating(text: string): number | null {
  const plain = toAsciiDigits(strip(text, null, 'both'))
  const named = /^([+-]?)(inf|infinity|nan)$/i.exec(plain)
  if (named) return named[2]!.toLowerCase() === 'nan' ? Number.NaN : named[1] === '-' ? -Infinity : Infinity
  const isNumber = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/.test(plain)
  return isNumber ? Number(plain.replaceAll('_', '')) : null
}

function toAsciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String(digitOf(digit.codePointAt(0)!)))
}

const isDecimal = (code: number) => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** Decimal digits are in runs of ten from 0 to 9, and several runs may be adjacent. */
function digitOf(code: number): number {
  let start = code
  while (isDecimal(start - 1)) start -= 1
  return (code - start) % 10
}
