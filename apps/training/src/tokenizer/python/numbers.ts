import { strip } from './strings.ts'

/** What Python's `int` and `float` read in a text; null where they raise. Digits of other scripts count as the ASCII ones. */

export function parseInteger(text: string): number | null {
  const plain = toAsciiDigits(strip(text, null, 'both'))
  return /^[+-]?\d+(_\d+)*$/.test(plain) ? Number(plain.replaceAll('_', '')) : null
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

/** Decimal digits stand in runs of ten from 0 to 9, and several runs may follow each other. */
function digitOf(code: number): number {
  let start = code
  while (isDecimal(start - 1)) start -= 1
  return (code - start) % 10
}
