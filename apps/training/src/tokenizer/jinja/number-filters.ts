import { parseFloating, parseInteger } from '../python/numbers.ts'
import { fixedDecimal, roundFloat } from '../python/decimals.ts'
import { floatText } from '../python/text-of.ts'
import { wholeNumber } from './filter-arguments.ts'
import type { Filter } from './filter.ts'
import { isTrue, plain, typeName, Undefined, type Value } from '../python/values.ts'

/** Jinja's filters of numbers. */
export const numberFilters: Readonly<Record<string, Filter>> = {
  abs: { parameters: [], apply: absolute },
  filesizeformat: { parameters: ['binary'], apply: (value, { binary = false }) => formatSize(value, isTrue(binary)) },
  float: { parameters: ['default'], apply: (value, { default: defaultValue = 0 }) => toFloat(value) ?? defaultValue },
  int: {
    parameters: ['default', 'base'],
    apply: (value, { default: defaultValue = 0n, base }) => toWhole(value, wholeNumber(base, 10)) ?? defaultValue,
  },
  round: {
    parameters: ['precision', 'method'],
    apply: (value, { precision, method = 'common' }) => round(value, wholeNumber(precision, 0), method),
  },
}

function absolute(value: Value): Value {
  const number = typeof value === 'boolean' ? BigInt(value) : value
  if (typeof number === 'bigint') return number < 0n ? -number : number
  if (typeof number === 'number') return Math.abs(number)
  throw new TypeError(`bad operand type for abs(): '${typeName(value)}'`)
}

/** A number of bytes in the largest unit of which there is one. */
function formatSize(value: Value, isBinary: boolean): string {
  const bytes = toFloat(plain(value))
  if (bytes === null) throw new TypeError(`float() argument must be a string or a real number, not '${typeName(value)}'`)
  const base = isBinary ? 1_024 : 1_000
  if (bytes === 1) return '1 Byte'
  if (bytes < base) return `${BigInt(Math.trunc(bytes))} Bytes`
  const units = Array.from('kMGTPEZY', (letter, at) => ({
    name: isBinary ? `${letter.toUpperCase()}iB` : `${letter}B`,
    next: BigInt(base) ** BigInt(at + 2),
  }))
  const { name, next } = units.find(({ next: most }) => bytes < most) ?? units.at(-1)!
  const count = (base * bytes) / Number(next)
  return `${Number.isFinite(count) ? fixedDecimal(count, 1) : floatText(count)} ${name}`
}

function toFloat(value: Value): number | null {
  if (value instanceof Undefined) throw new TypeError(value.reason)
  if (typeof value === 'string') return parseFloating(value)
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null
}

function toWhole(value: Value, base: number): bigint | null {
  if (value instanceof Undefined) throw new TypeError(value.reason)
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return BigInt(value)
  const number = typeof value === 'string' ? (parseInteger(value, base) ?? parseFloating(value)) : value
  if (typeof number === 'bigint') return number
  return typeof number === 'number' && Number.isFinite(number) ? BigInt(Math.trunc(number)) : null
}

function round(value: Value, precision: number, method: Value): Value {
  const number = typeof value === 'boolean' ? BigInt(value) : value
  if (typeof number !== 'bigint' && typeof number !== 'number') throw new TypeError(`type ${typeName(value)} cannot be rounded`)
  const scale = 10 ** precision
  if (method === 'ceil') return Math.ceil(Number(number) * scale) / scale
  if (method === 'floor') return Math.floor(Number(number) * scale) / scale
  if (method !== 'common') throw new TypeError('method must be common, ceil or floor')
  if (typeof number === 'number') return roundFloat(number, precision)
  return precision >= 0 ? number : roundWhole(number, 10n ** BigInt(-precision))
}

/** To the next multiple, from the middle to the even one. */
function roundWhole(number: bigint, unit: bigint): bigint {
  const rest = ((number % unit) + unit) % unit
  const below = number - rest
  const isUp = rest * 2n > unit || (rest * 2n === unit && (below / unit) % 2n !== 0n)
  return isUp ? below + unit : below
}
