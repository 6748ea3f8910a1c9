import type { StringBounds } from '../grammar/pattern-automaton.ts'
import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'
import { continueUtf8, type Utf8Rest, utf8RestOf } from './utf8.ts'

/** A string of JSON (RFC 8259 section 7). Every escape is allowed, but no half of a surrogate pair alone. */
export class StringFrame implements Frame {
  readonly canEnd = false
  readonly #bounds: StringBounds

  constructor(bounds: StringBounds) {
    this.#bounds = bounds
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol === quote) out.push({ frame: contentFrame(this.#bounds, 0), rest })
  }
}

const quote = 0x22
const backslash = 0x5c

/** Behind the opening quote or a whole character. */
class ContentFrame implements Frame {
  readonly canEnd = false
  readonly #bounds: StringBounds
  readonly #count: number

  constructor(bounds: StringBounds, count: number) {
    this.#bounds = bounds
    this.#count = count
  }

  next(symbol: TextSymbol, here: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol === quote) {
      if (this.#count >= this.#bounds.min) out.push(here.rest)
      return
    }
    if (this.#count >= this.#bounds.max || symbol < 0x20 || symbol > 0xff) return
    if (symbol < 0x80 && symbol !== backslash) {
      out.push(this.#after(here))
      return
    }
    const following = this.#after(here)
    if (symbol === backslash) out.push({ frame: escape, rest: following })
    const utf8 = utf8RestOf(symbol)
    if (utf8 !== undefined) out.push({ frame: new Utf8Frame(utf8), rest: following })
  }

  /** The same position while counting changes nothing, so that its cached results remain valid. */
  #after(here: TextPosition): TextPosition {
    const { min, max } = this.#bounds
    if (max === Infinity && this.#count >= min) return here
    return { frame: contentFrame(this.#bounds, this.#count + 1), rest: here.rest }
  }
}

function contentFrame(bounds: StringBounds, count: number): Frame {
  return new ContentFrame(bounds, count)
}

/** The rest of a character of UTF-8. */
class Utf8Frame implements Frame {
  readonly canEnd = false
  readonly #expected: Utf8Rest

  constructor(expected: Utf8Rest) {
    this.#expected = expected
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    const following = continueUtf8(this.#expected, symbol)
    if (following !== undefined) out.push(following === null ? rest : { frame: new Utf8Frame(following), rest })
  }
}

const shortEscapes = new Set([...'"\\/bfnrt'].map((character) => character.codePointAt(0)!))

/** Behind a backslash. */
const escape: Frame = {
  canEnd: false,
  next(symbol, { rest }, out) {
    if (shortEscapes.has(symbol)) out.push(rest)
    else if (symbol === 0x75) out.push({ frame: firstDigit, rest })
  },
}

/** One hexadecimal digit with a value in the given list, then what `follow` names. */
function hexDigit(values: readonly number[], follow: (value: number) => Frame | null): Frame {
  const allowed = new Set(values)
  return {
    canEnd: false,
    next(symbol, { rest }, out) {
      const value = hexValue(symbol)
      if (value === undefined || !allowed.has(value)) return
      const frame = follow(value)
      out.push(frame === null ? rest : { frame, rest })
    },
  }
}

function hexValue(symbol: TextSymbol): number | undefined {
  if (symbol >= 0x30 && symbol <= 0x39) return symbol - 0x30
  const lower = symbol | 0x20
  return symbol < 0x80 && lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined
}

const digits = Array.from({ length: 16 }, (_, value) => value)
const lastDigit = hexDigit(digits, () => null)
const thirdDigit = hexDigit(digits, () => lastDigit)
const secondDigit = hexDigit(digits, () => thirdDigit)
// d800 to dbff begin a pair, which must end with dc00 to dfff; alone these are not text.
const lowSecondDigit = hexDigit(digits.slice(12), () => thirdDigit)
const lowFirstDigit = hexDigit([13], () => lowSecondDigit)
const lowMark = exactly(0x75, lowFirstDigit)
const lowEscape = exactly(backslash, lowMark)
const highLastDigit = hexDigit(digits, () => lowEscape)
const highThirdDigit = hexDigit(digits, () => highLastDigit)
const secondDigitAfterD = hexDigit(digits.slice(0, 12), (value) => (value < 8 ? thirdDigit : highThirdDigit))
const firstDigit = hexDigit(digits, (value) => (value === 13 ? secondDigitAfterD : secondDigit))

function exactly(expected: TextSymbol, frame: Frame): Frame {
  return {
    canEnd: false,
    next(symbol, { rest }, out) {
      if (symbol === expected) out.push({ frame, rest })
    },
  }
}
