import { type Frame, type Pending, type TextSymbol } from './frame.ts'
import { countMultiples } from './multiples.ts'

/** Digits behind the point of a number within bounds. */
export const decimalPlaces = 25
const one = 10n ** BigInt(decimalPlaces)
const maxDigits = 21
const widest = 10n ** BigInt(maxDigits) * one - 1n

/** Both included, in units of the last decimal place. Null: no bound except the 21 digits before the point. */
export interface DecimalBounds {
  low: bigint | null
  high: bigint | null
  /** In the same units, above 0. Absent: any number. */
  multipleOf?: bigint
  /** Numbers within the bounds that are not written, each once. Absent: none. */
  without?: readonly bigint[]
}

/** A number within bounds, written without an exponent. Every symbol that is allowed leads to a number in the bounds. */
export function decimal(bounds: DecimalBounds): Frame {
  return new DecimalFrame(rangeOf(bounds), start)
}

/** True when there is a number within the bounds that can be written. */
export function leadsToDecimal(bounds: DecimalBounds): boolean {
  return countDecimals(bounds) > 0n
}

/** How many numbers there are that can be written. */
export function countDecimals(bounds: DecimalBounds): bigint {
  const { low, high, step, without } = rangeOf(bounds)
  return countMultiples({ from: low, to: high, step, without })
}

export function admitsDecimal({ low, high, multipleOf = 1n, without = [] }: DecimalBounds, value: number | bigint): boolean {
  const [above, below] = [unitsAtLeast(value), -unitsAtLeast(-value)]
  // Between two units no bound is decided by either.
  return (low === null || below >= low) && (high === null || above <= high) && above % multipleOf === 0n && !without.includes(above)
}

/** In units of the last decimal place, rounded up if there are more places. */
export function unitsAtLeast(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value * one
  const [mantissa = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole + fraction)
  const power = Number(exponent) - fraction.length + decimalPlaces
  if (power >= 0) return (value < 0 ? -1n : 1n) * digits * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  const isExact = digits % divisor === 0n
  if (value < 0) return -(digits / divisor)
  return digits / divisor + (isExact ? 0n : 1n)
}

interface Range {
  low: bigint
  high: bigint
  /** The divisor of all numbers. */
  step: bigint
  without: readonly bigint[]
}

function rangeOf({ low, high, multipleOf: step = 1n, without = [] }: DecimalBounds): Range {
  return {
    step,
    without,
    low: low === null || low < -widest ? -widest : low,
    high: high === null || high > widest ? widest : high,
  }
}

interface Written {
  isNegative: boolean
  /** Value of the written digits, without the sign. */
  value: bigint
  /** Digits before the point. */
  digits: number
  /** Digits behind the point; null before it. */
  places: number | null
}

const start: Written = { isNegative: false, value: 0n, digits: 0, places: null }

class DecimalFrame implements Frame {
  readonly canEnd: boolean
  readonly #range: Range
  readonly #written: Written

  constructor(range: Range, written: Written) {
    const { isNegative, value, digits, places } = written
    const signed = isNegative ? -value : value
    this.#range = range
    this.#written = written
    this.canEnd =
      digits > 0 &&
      places !== 0 &&
      signed >= range.low &&
      signed <= range.high &&
      value % range.step === 0n &&
      !range.without.includes(signed)
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    const written = append(this.#written, symbol)
    if (written !== null && leadsInto(written, this.#range)) out.push({ frame: new DecimalFrame(this.#range, written), rest })
  }
}

function append(written: Written, symbol: TextSymbol): Written | null {
  const { isNegative, value, digits, places } = written
  if (symbol === 0x2d) return digits === 0 && !isNegative ? { ...written, isNegative: true } : null
  if (symbol === 0x2e) return digits > 0 && places === null ? { ...written, places: 0 } : null
  if (symbol < 0x30 || symbol > 0x39) return null
  const digit = BigInt(symbol - 0x30)
  if (places !== null) {
    return places === decimalPlaces
      ? null
      : { ...written, value: value + digit * 10n ** BigInt(decimalPlaces - places - 1), places: places + 1 }
  }
  // Nothing follows a leading zero but the point.
  if (digits === maxDigits || (digits > 0 && value === 0n)) return null
  return { ...written, value: value * 10n + digit * one, digits: digits + 1 }
}

/** True when some number that begins like this is in the range. */
function leadsInto({ isNegative, value, digits, places }: Written, range: Range): boolean {
  // The sign is dropped on both sides.
  const [smallest, largest] = isNegative ? [-range.high, -range.low] : [range.low, range.high]
  const without = isNegative ? range.without.map((each) => -each) : range.without
  const isIn = (from: bigint, to: bigint) =>
    countMultiples({ from: from > smallest ? from : smallest, to: to < largest ? to : largest, step: range.step, without }) > 0n
  if (digits === 0) return isIn(0n, largest)
  if (places !== null) return isIn(value, value + 10n ** BigInt(decimalPlaces - places) - 1n)
  if (value === 0n) return isIn(0n, one - 1n)
  for (let from = value, to = value + one - 1n, more = digits; more <= maxDigits; from *= 10n, to = (to + 1n) * 10n - 1n, more += 1)
    if (isIn(from, to)) return true
  return false
}
