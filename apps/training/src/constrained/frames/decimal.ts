import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'
import { type DecimalBounds, decimalPlaces, decimalRange, maxDigits, one } from '../grammar/decimal-bounds.ts'
import { countMultiples, type Multiples } from '../grammar/multiples.ts'

/** A number within bounds, written without an exponent. Every symbol that is allowed leads to a number in the bounds. */
export function decimal(bounds: DecimalBounds): Frame {
  return new DecimalFrame(decimalRange(bounds), start)
}

interface DecimalPrefix {
  isNegative: boolean
  /** Value of the written digits, without the sign. */
  value: bigint
  /** Digits before the point. */
  digits: number
  /** Digits behind the point; null before it. */
  places: number | null
}

const start: DecimalPrefix = { isNegative: false, value: 0n, digits: 0, places: null }

class DecimalFrame implements Frame {
  readonly canEnd: boolean
  readonly #range: Multiples
  readonly #written: DecimalPrefix

  constructor(range: Multiples, written: DecimalPrefix) {
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

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    const written = append(this.#written, symbol)
    if (written !== null && leadsInto(written, this.#range)) out.push({ frame: new DecimalFrame(this.#range, written), rest })
  }
}

function append(written: DecimalPrefix, symbol: TextSymbol): DecimalPrefix | null {
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
function leadsInto({ isNegative, value, digits, places }: DecimalPrefix, range: Multiples): boolean {
  // The sign is dropped on both sides.
  const [smallest, largest] = isNegative ? [-range.high, -range.low] : [range.low, range.high]
  const without = isNegative ? range.without.map((each) => -each) : range.without
  const isIn = (from: bigint, to: bigint) =>
    countMultiples({ low: from > smallest ? from : smallest, high: to < largest ? to : largest, step: range.step, without }) > 0n
  if (digits === 0) return isIn(0n, largest)
  if (places !== null) return isIn(value, value + 10n ** BigInt(decimalPlaces - places) - 1n)
  if (value === 0n) return isIn(0n, one - 1n)
  for (let from = value, to = value + one - 1n, more = digits; more <= maxDigits; from *= 10n, to = (to + 1n) * 10n - 1n, more += 1)
    if (isIn(from, to)) return true
  return false
}
