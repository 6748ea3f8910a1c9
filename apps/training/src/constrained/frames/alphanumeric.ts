import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'

/** So many letters and digits of ASCII. */
export class AlphanumericFrame implements Frame {
  readonly canEnd = false
  readonly #count: number

  /** @param count at least 1 */
  constructor(count: number) {
    this.#count = count
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol > 0x7f || !/[A-Za-z0-9]/.test(String.fromCharCode(symbol))) return
    out.push(this.#count === 1 ? rest : { frame: new AlphanumericFrame(this.#count - 1), rest })
  }
}
