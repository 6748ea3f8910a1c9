import { isJsonNumber } from '@heddle/json/exact'

/**
 * A value for the structured form of an answer, which clients write and read with the numbers of JavaScript: a number that these hold is one, whatever its
 * spelling (`1.0`), and any other one is its digits as text (`"9007199254740993"`), so that none arrives as another number.
 */
export function toStructured(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonNumber(value)) return toPlainNumber(value.text)
  if (Array.isArray(value)) return value.map(toStructured)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toStructured(member)]))
}

function toPlainNumber(literal: string): number | string {
  const number = Number(literal)
  return Number.isFinite(number) && decimalOf(literal) === decimalOf(String(number)) ? number : literal
}

/** One text for each number: `15e-1` for `1.50`. Zero has no sign. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  return significant === '' ? '0' : `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}
