import { countMultiples, type Multiples } from './multiples.ts'

/** Digits behind the point of a number within bounds. */
export const decimalPlaces = 25
/** 1 in units of the last decimal place. */
export const one = 10n ** BigInt(decimalPlaces)
/** Digits before the point. */
export const maxDigits = 21
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

/** True when there is a number within the bounds that can be written. */
export function leadsToDecimal(bounds: DecimalBounds): boolean {
  return countDecimals(bounds) > 0n
}

/** How many numbers there are that can be written. */
export function countDecimals(bounds: DecimalBounds): bigint {
  return countMultiples(decimalRange(bounds))
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

/** The bounds with those of what can be written. */
export function decimalRange({ low, high, multipleOf: step = 1n, without = [] }: DecimalBounds): Multiples {
  return {
    step,
    without,
    low: low === null || low < -widest ? -widest : low,
    high: high === null || high > widest ? widest : high,
  }
}
