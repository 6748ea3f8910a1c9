import { anyName, type NameState } from '../grammar/name-automaton.ts'
import { stateBehind } from '../grammar/pattern-automaton.ts'
import { advance, type Frame, type TextPosition, type Places, type TextSymbol } from './frame.ts'
import { patternContent } from './pattern-string.ts'
import type { PropertyNames } from '../grammar/property-names.ts'
import { leadsToUnused } from './unused-strings.ts'

/** The permitted names and their continuations. */
export interface NameChoice {
  names: PropertyNames
  /** Properties that may still be written. */
  open: bigint
  /** Spelling of other names, except these; null if none are permitted. */
  otherStart: NameState | null
  others: OtherNames | null
  /** The continuation after the closing quote of a known property (by its index). */
  afterKnown(property: number): TextPosition
  /** The continuation after another name of this kind. */
  afterOther(kind: number, spelling: string): TextPosition
}

/** Other names that have been written in an object, newest first. */
export interface OtherNames {
  spelling: string
  before: OtherNames | null
}

interface NamePrefix {
  choice: NameChoice
  known: PropertyNames | null
  other: Places
  spelling: string
  alike: readonly string[]
}

const quote = 0x22

/**
 * A name behind its opening quote. Each has one spelling, that of `JSON.stringify`, so that equal names are equal bytes: none is written twice, and none
 * of the known ones escapes its schema.
 */
export class PropertyNameFrame implements Frame {
  readonly canEnd = false
  readonly #choice: NameChoice
  /** Null: no known name begins like this. */
  readonly #known: PropertyNames | null
  /** Positions in another name; empty if no other name begins like this. */
  readonly #other: Places
  /** Latin-1: a character for each byte. */
  readonly #spelling: string
  /** Other names before that begin like this. */
  readonly #alike: readonly string[]

  private constructor({ choice, known, other, spelling, alike }: NamePrefix) {
    this.#choice = choice
    this.#known = known
    this.#other = other
    this.#spelling = spelling
    this.#alike = alike
  }

  static start(choice: NameChoice): PropertyNameFrame {
    const { names, otherStart } = choice
    const alike: string[] = []
    for (let name = choice.others; name !== null; name = name.before) alike.push(name.spelling)
    const other = otherStart === null ? [] : [{ frame: patternContent(otherStart), rest: null }]
    return new PropertyNameFrame({ choice, known: names, other, spelling: '', alike })
  }

  next(symbol: TextSymbol, _here: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol > 0xff) return
    const other = advance(this.#other, symbol)
    const property = this.#known?.property ?? null
    if (symbol === quote && (property !== null || other.includes(null))) {
      const after = property === null ? this.#closeOther() : this.#isOpen(1n << BigInt(property)) ? this.#choice.afterKnown(property) : null
      if (after !== null) out.push(after)
      return
    }
    const known = this.#known?.children.get(symbol) ?? null
    const leadsToKnown = known !== null && this.#isOpen(known.below)
    const spelling = this.#spelling + String.fromCharCode(symbol)
    const alike = this.#alike.filter((name) => name.charCodeAt(this.#spelling.length) === symbol)
    const further = other.length > 0 && this.#leadsToOther(spelling, known, alike.length) ? other : []
    if (leadsToKnown || further.length > 0) {
      out.push({ frame: new PropertyNameFrame({ choice: this.#choice, known, other: further, spelling, alike }), rest: null })
    }
  }

  #leadsToOther(text: string, known: PropertyNames | null, alike: number): boolean {
    const { otherStart } = this.#choice
    if (otherStart === anyName) return true
    return leadsToUnused({ start: otherStart!, max: Infinity, text, used: alike + countBits(known?.below ?? 0n) })
  }

  #isOpen(properties: bigint): boolean {
    return (this.#choice.open & properties) !== 0n
  }

  #closeOther(): TextPosition | null {
    if (this.#alike.some((name) => name.length === this.#spelling.length)) return null
    const name = JSON.parse(`"${Buffer.from(this.#spelling, 'latin1').toString()}"`) as string
    return this.#choice.afterOther(stateBehind(this.#choice.otherStart!, name)!.kind!, this.#spelling)
  }
}

function countBits(bits: bigint): number {
  let count = 0
  for (let left = bits; left !== 0n; left &= left - 1n) count += 1
  return count
}
