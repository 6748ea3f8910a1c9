import type { Constraint } from './constraint.ts'
import { advance, isComplete, type TextPosition, type Places, specialSymbols } from './frames/frame.ts'
import { CompiledSize } from './grammar/compiled-size.ts'
import { SchemaError } from './grammar/schema-error.ts'
import { startConstraint } from './start-constraint.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Follows one completion and determines which tokens can still lead to a text that the constraint allows. */
export interface TokenConstraint {
  /**
   * Writes 1 for each permitted next token and 0 for all others, and returns the number of permitted ones. The mask may be longer than the
   * vocabulary. Stop tokens are permitted once the text is complete. 0: the text is complete and there are no stop tokens, or no token spells a
   * permitted continuation.
   * @throws SchemaError when it takes more than `maxStepsOfToken`
   */
  writeAllowed(mask: Uint8Array): number
  /** @throws Error for a token that is not permitted */
  accept(token: number): void
  /** The text is complete as it is. */
  readonly canEnd: boolean
  /** The text is complete, and nothing but a stop token may follow. */
  readonly mustEnd: boolean
}

/** A constraint over a vocabulary, which any number of completions may follow. */
export interface CompiledConstraint {
  vocabulary: Vocabulary
  start: Places
  /** Special tokens in texts of the constraint. */
  specials: readonly number[]
  /** Its memory, see `compiledLimits`. */
  states: number
}

/** Most steps per token. A free string takes as many as the vocabulary has bytes, and each alternative as many again. */
const maxStepsOfToken = 8_000_000

/** @throws SchemaError when the constraint cannot be enforced */
export function compileConstraint(vocabulary: Vocabulary, constraint: Constraint): CompiledConstraint {
  const specials = new Set<number>()
  const spell = (text: string) => {
    const symbols = vocabulary.spell(text)
    for (const symbol of symbols) if (symbol >= specialSymbols) specials.add(symbol - specialSymbols)
    return symbols
  }
  // Free text may contain any of them, such as those around reasoning.
  if (constraint.kind === 'tool-call' && constraint.otherwise?.kind === 'text') for (const token of vocabulary.specials) specials.add(token)
  const size = new CompiledSize()
  const start = startConstraint(constraint, spell, size)
  return { vocabulary, start, specials: [...specials], states: size.states }
}

/** Follows a completion from its beginning. */
export function followConstraint(compiled: CompiledConstraint, stopTokens: readonly number[]): TokenConstraint {
  return new GrammarConstraint(compiled, stopTokens)
}

class GrammarConstraint implements TokenConstraint {
  readonly #vocabulary: Vocabulary
  readonly #specials: readonly number[]
  readonly #stopTokens: ReadonlySet<number>
  #places: Places
  #isEnded = false
  /** Steps left for the next token. */
  #stepsLeft = maxStepsOfToken
  /** Inside a long string the position is unchanged, and with it the permitted tokens. */
  #known: { place: TextPosition; mask: Uint8Array; count: number } | null = null

  constructor({ vocabulary, start, specials }: CompiledConstraint, stopTokens: readonly number[]) {
    this.#vocabulary = vocabulary
    this.#specials = specials
    this.#stopTokens = new Set(stopTokens)
    this.#places = start
  }

  get canEnd(): boolean {
    return isComplete(this.#places)
  }

  get mustEnd(): boolean {
    return this.#places.every((place) => place === null)
  }

  writeAllowed(mask: Uint8Array): number {
    mask.fill(0)
    if (this.#isEnded) return 0
    const place = this.#places.length === 1 ? this.#places[0]! : null
    if (place !== null && this.#known?.place === place) {
      mask.set(this.#known.mask)
      return this.#known.count
    }
    this.#stepsLeft = maxStepsOfToken
    const count = this.#markText(mask, 0, this.#places) + this.#markSpecials(mask) + this.#markStops(mask)
    if (place !== null) this.#known = { place, mask: mask.slice(0, this.#vocabulary.size), count }
    return count
  }

  accept(token: number): void {
    if (this.#stopTokens.has(token) && this.canEnd) {
      this.#isEnded = true
      return
    }
    const symbols = this.#vocabulary.symbolsOf(token)
    let places = this.#isEnded || symbols.length === 0 ? [] : this.#places
    for (const symbol of symbols) places = advance(places, symbol)
    if (places.length === 0) throw new Error(`token ${token} is not allowed by the constraint`)
    this.#places = places
  }

  #markText(mask: Uint8Array, node: number, places: Places): number {
    const { bytes, children, siblings, tokens, sameTokens } = this.#vocabulary
    let count = 0
    for (let child = children[node]!; child !== 0; child = siblings[child]!) {
      this.#stepsLeft -= places.length
      if (this.#stepsLeft < 0) throw new SchemaError(`too many alternatives are open: a token takes more than ${maxStepsOfToken} steps`)
      const reached = advance(places, bytes[child]!)
      if (reached.length === 0) continue
      for (let token = tokens[child]!; token >= 0; token = sameTokens[token]!) {
        mask[token] = 1
        count += 1
      }
      if (children[child] !== 0) count += this.#markText(mask, child, reached)
    }
    return count
  }

  #markSpecials(mask: Uint8Array): number {
    return this.#specials.filter((token) => {
      const isAllowed = advance(this.#places, specialSymbols + token).length > 0
      if (isAllowed) mask[token] = 1
      return isAllowed
    }).length
  }

  #markStops(mask: Uint8Array): number {
    if (!this.canEnd) return 0
    let count = 0
    for (const token of this.#stopTokens) {
      if (token >= mask.length || mask[token] === 1) continue
      mask[token] = 1
      count += 1
    }
    return count
  }
}
