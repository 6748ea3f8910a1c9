import { type Frame, type Pending, type TextSymbol } from './frame.ts'
import type { PropertyNames } from './property-names.ts'
import { continueUtf8, type Utf8Rest, utf8RestOf } from './utf8.ts'

/** Which names may be written, and what follows them. */
export interface NameChoice {
  names: PropertyNames
  /** Properties that may still be written. */
  open: bigint
  /** Whether other names may be written, apart from these. */
  isOpenToOthers: boolean
  others: OtherNames | null
  /** What follows the closing quote of a known property (by its place), or of another name. */
  after(property: number | null, spelling: string): Pending
}

/** Other names that have been written in an object, newest first. */
export interface OtherNames {
  spelling: string
  before: OtherNames | null
}

/** Where a name stands with respect to escapes and characters of several bytes. */
type Inside = { kind: 'character' } | { kind: 'utf8'; expected: Utf8Rest } | { kind: 'escape'; written: string }

const character: Inside = { kind: 'character' }

/**
 * A name behind its opening quote. Each has one spelling, that of `JSON.stringify`, so that equal names are equal bytes: none is written twice, and none
 * of the known ones escapes its schema.
 */
export class PropertyNameFrame implements Frame {
  readonly canEnd = false
  readonly #choice: NameChoice
  /** Null: no known name begins like this. */
  readonly #known: PropertyNames | null
  /** Latin-1: a character for each byte. */
  readonly #spelling: string
  readonly #inside: Inside

  constructor(choice: NameChoice, known: PropertyNames | null = choice.names, spelling = '', inside: Inside = character) {
    this.#choice = choice
    this.#known = known
    this.#spelling = spelling
    this.#inside = inside
  }

  next(symbol: TextSymbol, _here: Pending, out: (Pending | null)[]): void {
    if (symbol > 0xff) return
    if (symbol === 0x22 && this.#inside.kind === 'character') {
      const after = this.#close()
      if (after !== null) out.push(after)
      return
    }
    const inside = continueName(this.#inside, symbol)
    if (inside === undefined) return
    const known = this.#known?.children.get(symbol) ?? null
    const leadsToKnown = known !== null && (known.below & this.#choice.open) !== 0n
    if (!leadsToKnown && !this.#choice.isOpenToOthers) return
    const spelling = this.#spelling + String.fromCharCode(symbol)
    out.push({ frame: new PropertyNameFrame(this.#choice, known, spelling, inside), rest: null })
  }

  #close(): Pending | null {
    const property = this.#known?.property ?? null
    if (property !== null)
      return (this.#choice.open & (1n << BigInt(property))) === 0n ? null : this.#choice.after(property, this.#spelling)
    if (!this.#choice.isOpenToOthers) return null
    for (let name = this.#choice.others; name !== null; name = name.before) if (name.spelling === this.#spelling) return null
    return this.#choice.after(null, this.#spelling)
  }
}

/** What `JSON.stringify` escapes: quote, backslash, control characters, the five with a letter by it, and others as `\u00XX`. */
const letters = '"\\bfnrt'
const controlEscape = /^u(0(0([01]([0-9a-f])?)?)?)?$/
const lettered = new Set(['u0008', 'u0009', 'u000a', 'u000c', 'u000d'])

/** Undefined when no name is spelled like this. */
function continueName(inside: Inside, byte: number): Inside | undefined {
  switch (inside.kind) {
    case 'utf8': {
      const expected = continueUtf8(inside.expected, byte)
      if (expected === undefined) return undefined
      return expected === null ? character : { kind: 'utf8', expected }
    }
    case 'escape': {
      const written = inside.written + String.fromCharCode(byte)
      if (written.length === 1 && letters.includes(written)) return character
      if (!controlEscape.test(written) || lettered.has(written)) return undefined
      return written.length === 5 ? character : { kind: 'escape', written }
    }
    case 'character': {
      if (byte === 0x5c) return { kind: 'escape', written: '' }
      if (byte < 0x80) return byte < 0x20 ? undefined : character
      const expected = utf8RestOf(byte)
      return expected && { kind: 'utf8', expected }
    }
  }
}
