import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'

/**
 * A number of JSON (RFC 8259 section 6) that every reader takes as finite: at most 21 digits before and 25 after the point, an exponent of at most
 * 307 after one digit. Every finite double below 1e308 has such a form.
 */
type NumberState = 'start' | 'minus' | 'zero' | 'digits' | 'point' | 'fraction' | 'e' | 'sign' | 'exponent'

const maxDigits = 21
const maxFraction = 25
const maxExponent = 307

class NumberFrame implements Frame {
  readonly canEnd: boolean
  readonly #state: NumberState
  /** Digits before the point, or behind it, or the value of the exponent. */
  readonly #count: number
  readonly #isShort: boolean

  constructor(state: NumberState, count = 0, isShort = true) {
    this.canEnd = state === 'zero' || state === 'digits' || state === 'fraction' || state === 'exponent'
    this.#state = state
    this.#count = count
    this.#isShort = isShort
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    const frame = isDigit(symbol) ? this.#digit(symbol - 0x30) : this.#mark(symbol)
    if (frame !== null) out.push({ frame, rest })
  }

  #digit(value: number): Frame | null {
    const count = this.#count + 1
    switch (this.#state) {
      case 'start':
      case 'minus':
        return new NumberFrame(value === 0 ? 'zero' : 'digits', 1)
      case 'digits':
        return count > maxDigits ? null : new NumberFrame('digits', count, false)
      case 'point':
      case 'fraction':
        return count > maxFraction ? null : new NumberFrame('fraction', count, this.#isShort)
      case 'e':
      case 'sign':
        return new NumberFrame('exponent', value)
      case 'exponent': {
        const exponent = this.#count * 10 + value
        return this.#count === 0 || exponent > maxExponent ? null : new NumberFrame('exponent', exponent)
      }
      case 'zero':
        return null
    }
  }

  #mark(symbol: TextSymbol): Frame | null {
    const isWhole = this.#state === 'zero' || this.#state === 'digits'
    if (symbol === 0x2d) return this.#state === 'start' ? new NumberFrame('minus') : this.#signOf()
    if (symbol === 0x2b) return this.#signOf()
    if (symbol === 0x2e && isWhole) return new NumberFrame('point', 0, this.#isShort)
    if ((symbol === 0x65 || symbol === 0x45) && this.#isShort && (isWhole || this.#state === 'fraction')) return new NumberFrame('e')
    return null
  }

  #signOf(): Frame | null {
    return this.#state === 'e' ? new NumberFrame('sign') : null
  }
}

export const number: Frame = new NumberFrame('start')

function isDigit(symbol: TextSymbol): boolean {
  return symbol >= 0x30 && symbol <= 0x39
}
