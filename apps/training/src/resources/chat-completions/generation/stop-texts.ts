import { heldBack } from '../held-back.ts'

export interface StoppedText {
  text: string
  /** The stop text that was found; then nothing follows. */
  stop: string | null
}

/** Passes a text through up to the first stop text in it, however it is split into pieces. The possible beginning of a stop text is held back. */
export class StopTexts {
  readonly #stops: readonly string[]
  readonly #isKept: boolean
  #held = ''

  constructor(stops: readonly string[], isKept: boolean) {
    this.#stops = stops
    this.#isKept = isKept
  }

  push(piece: string): StoppedText {
    const text = this.#held + piece
    const found = this.#stops
      .map((stop) => ({ stop, at: text.indexOf(stop) }))
      .filter(({ at }) => at >= 0)
      .reduce<{ stop: string; at: number } | null>((first, one) => (first === null || one.at < first.at ? one : first), null)
    if (found !== null) {
      this.#held = ''
      return { text: text.slice(0, found.at + (this.#isKept ? found.stop.length : 0)), stop: found.stop }
    }
    const safe = text.length - Math.max(0, ...this.#stops.map((stop) => heldBack(text, stop)))
    this.#held = text.slice(safe)
    return { text: text.slice(0, safe), stop: null }
  }

  /** The text still held back at the end. */
  flush(): string {
    const text = this.#held
    this.#held = ''
    return text
  }
}
