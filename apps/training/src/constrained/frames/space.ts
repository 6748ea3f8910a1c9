import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'

/** Bytes of white space in a row: lines of JSON up to some fifteen levels deep can be indented. */
const maxSpace = 32

/** Insignificant white space of JSON (RFC 8259 section 2), perhaps none. */
class SpaceFrame implements Frame {
  readonly canEnd = true
  readonly #left: number

  constructor(left: number) {
    this.#left = left
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (this.#left > 0 && (symbol === 0x20 || symbol === 0x0a || symbol === 0x0d || symbol === 0x09)) {
      out.push({ frame: new SpaceFrame(this.#left - 1), rest })
    }
  }
}

export const space: Frame = new SpaceFrame(maxSpace)
