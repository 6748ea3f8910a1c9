import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'
import { type IntegerBounds, integerRange, isWithin, larger, smaller } from '../grammar/integer-bounds.ts'
import { countMultiples, type Multiples } from '../grammar/multiples.ts'

/** An integer within bounds, written with digits alone. Every digit that is allowed leads to an integer in the bounds. */
export function integer(bounds: IntegerBounds): Frame {
  return new IntegerFrame(integerRange(bounds), null)
}

interface IntegerPrefix {
  isNegative: boolean
  /** Null behind the sign. */
  digits: bigint | null
}

class IntegerFrame implements Frame {
  readonly canEnd: boolean
  readonly #range: Multiples
  readonly #written: IntegerPrefix | null

  constructor(range: Multiples, written: IntegerPrefix | null) {
    this.#range = range
    this.#written = written
    this.canEnd = written !== null && written.digits !== null && isWithin(signed(written.digits, written.isNegative), range)
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    const written = this.#append(symbol)
    if (written !== null && leadsInto(written, this.#range)) out.push({ frame: new IntegerFrame(this.#range, written), rest })
  }

  #append(symbol: TextSymbol): IntegerPrefix | null {
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
function leadsInto({ isNegative, digits }: IntegerPrefix, range: Multiples): boolean {
  // The sign is dropped on both sides.
  const [smallest, largest] = isNegative ? [-range.high, -range.low] : [range.low, range.high]
  const without = isNegative ? range.without.map((value) => -value) : range.without
  const holds = (from: bigint, to: bigint) =>
    from <= largest &&
    to >= smallest &&
    countMultiples({ low: larger(from, smallest), high: smaller(to, largest), step: range.step, without }) > 0n
  if (digits === null) return holds(0n, largest)
  if (digits === 0n) return holds(0n, 0n)
  for (let from = digits, to = digits; from <= largest; from *= 10n, to = to * 10n + 9n) if (holds(from, to)) return true
  return false
}

function signed(digits: bigint, isNegative: boolean): bigint {
  return isNegative ? -digits : digits
}
