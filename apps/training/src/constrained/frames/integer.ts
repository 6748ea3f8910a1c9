import { type Frame, type Pending, type TextSymbol } from './frame.ts'

/** Both included. Null: no bound but the 21 digits of any integer. */
export interface IntegerBounds {
  low: bigint | null
  high: bigint | null
}

const widest = 10n ** 21n - 1n

/** An integer within bounds, written with digits alone. Every digit that is allowed leads to an integer in the bounds. */
export function integer(bounds: IntegerBounds): Frame {
  return new IntegerFrame(rangeOf(bounds), null)
}

/** True when there is an integer within the bounds that can be written. */
export function leadsToInteger(bounds: IntegerBounds): boolean {
  const { low, high } = rangeOf(bounds)
  return low <= high
}

function rangeOf({ low, high }: IntegerBounds): Range {
  return { low: max(low ?? -widest, -widest), high: min(high ?? widest, widest) }
}

interface Range {
  low: bigint
  high: bigint
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
function leadsInto({ isNegative, digits }: Written, { low, high }: Range): boolean {
  // The sign is dropped on both sides.
  const [smallest, largest] = isNegative ? [-high, -low] : [low, high]
  if (digits === null) return largest >= 0n
  if (digits === 0n) return smallest <= 0n && largest >= 0n
  for (let from = digits, to = digits; from <= largest; from *= 10n, to = to * 10n + 9n) if (to >= smallest) return true
  return false
}

function isWithin(value: bigint, { low, high }: Range): boolean {
  return value >= low && value <= high
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
