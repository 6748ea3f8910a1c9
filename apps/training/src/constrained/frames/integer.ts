import { type Frame, type Pending, type TextSymbol } from './frame.ts'
import { countMultiples } from './multiples.ts'

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

/** An integer within bounds, written with digits alone. Every digit that is allowed leads to an integer in the bounds. */
export function integer(bounds: IntegerBounds): Frame {
  return new IntegerFrame(rangeOf(bounds), null)
}

/** True when there is an integer within the bounds that can be written. */
export function leadsToInteger(bounds: IntegerBounds): boolean {
  return countIntegers(bounds) > 0n
}

/** How many integers there are that can be written. */
export function countIntegers(bounds: IntegerBounds): bigint {
  const { low, high, step, without } = rangeOf(bounds)
  return low > high ? 0n : countMultiples({ from: low, to: high, step, without })
}

/** Of any number of digits. */
export function admitsInteger({ low, high, multipleOf: step = 1n, without = [] }: IntegerBounds, value: number | bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false
  const whole = BigInt(value)
  return isWithin(whole, { low: low ?? whole, high: high ?? whole, step, without })
}

function rangeOf({ low, high, multipleOf: step = 1n, without = [] }: IntegerBounds): Range {
  return { low: max(low ?? -widest, -widest), high: min(high ?? widest, widest), step, without }
}

interface Range {
  low: bigint
  high: bigint
  /** The divisor of all integers. */
  step: bigint
  without: readonly bigint[]
}

interface Written {
  isNegative: boolean
  /** Null behind the sign. */
  digits: bigint | null
}

class IntegerFrame implements Frame {
  readonly canEnd: boolean
  readonly #range: Range
  readonly #written: Written | null

  constructor(range: Range, written: Written | null) {
    this.#range = range
    this.#written = written
    this.canEnd = written !== null && written.digits !== null && isWithin(signed(written.digits, written.isNegative), range)
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    const written = this.#append(symbol)
    if (written !== null && leadsInto(written, this.#range)) out.push({ frame: new IntegerFrame(this.#range, written), rest })
  }

  #append(symbol: TextSymbol): Written | null {
    const isNegative = this.#written?.isNegative ?? false
    if (symbol === 0x2d) return this.#written === null ? { isNegative: true, digits: null } : null
    if (symbol < 0x30 || symbol > 0x39) return null
    const digit = BigInt(symbol - 0x30)
    const digits = this.#written?.digits ?? null
    if (digits === null) return { isNegative, digits: digit }
    return digits === 0n ? null : { isNegative, digits: digits * 10n + digit }
  }
}

/** True when some integer that begins like this is in the range. */
function leadsInto({ isNegative, digits }: Written, range: Range): boolean {
  // The sign is dropped on both sides.
  const [smallest, largest] = isNegative ? [-range.high, -range.low] : [range.low, range.high]
  const without = isNegative ? range.without.map((value) => -value) : range.without
  const holds = (from: bigint, to: bigint) =>
    from <= largest && to >= smallest && countMultiples({ from: max(from, smallest), to: min(to, largest), step: range.step, without }) > 0n
  if (digits === null) return holds(0n, largest)
  if (digits === 0n) return holds(0n, 0n)
  for (let from = digits, to = digits; from <= largest; from *= 10n, to = to * 10n + 9n) if (holds(from, to)) return true
  return false
}

function isWithin(value: bigint, { low, high, step, without }: Range): boolean {
  return value >= low && value <= high && value % step === 0n && !without.includes(value)
}

function signed(digits: bigint, isNegative: boolean): bigint {
  return isNegative ? -digits : digits
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
