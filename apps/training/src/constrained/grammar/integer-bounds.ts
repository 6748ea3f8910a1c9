import { countMultiples, type Multiples } from './multiples.ts'

/** Both included. Null: no bound but the 21 digits of any integer. */
export interface IntegerBounds {
  low: bigint | null
  high: bigint | null
  /** Above 0. Absent: any integer. */
  multipleOf?: bigint
  /** Integers within the bounds that are not written, each once. Absent: none. */
  without?: readonly bigint[]
}

const widest = 10n ** 21n - 1n

/** True when there is an integer within the bounds that can be written. */
export function leadsToInteger(bounds: IntegerBounds): boolean {
  return countIntegers(bounds) > 0n
}

/** How many integers there are that can be written. */
export function countIntegers(bounds: IntegerBounds): bigint {
  return countMultiples(integerRange(bounds))
}

/** Of any number of digits. */
export function admitsInteger({ low, high, multipleOf: step = 1n, without = [] }: IntegerBounds, value: number | bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false
  const whole = BigInt(value)
  return isWithin(whole, { low: low ?? whole, high: high ?? whole, step, without })
}

/** The bounds with those of what can be written. */
export function integerRange({ low, high, multipleOf: step = 1n, without = [] }: IntegerBounds): Multiples {
  return { low: larger(low ?? -widest, -widest), high: smaller(high ?? widest, widest), step, without }
}

export function isWithin(value: bigint, { low, high, step, without }: Multiples): boolean {
  return value >= low && value <= high && value % step === 0n && !without.includes(value)
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
