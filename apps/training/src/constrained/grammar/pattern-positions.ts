import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { anyCharacter, type CodeRange, rangesOf } from './pattern-symbols.ts'
import { PatternError } from './pattern-error.ts'
import { shownValue } from './schema-error.ts'

/** A zero-width condition on the text around a position: a look-around or a word boundary. */
export type Lookaround =
  /** The following text leads, or does not lead, from `start` to `accept`. */
  | { kind: 'ahead'; negate: boolean; start: number; accept: number }
  /** The preceding text ends with the part of this number, or does not. */
  | { kind: 'behind'; negate: boolean; part: number }
  /** A word begins or ends here, or does not. */
  | { kind: 'boundary'; negate: boolean }

/** A transition of the automaton: a character in one of the ranges, or without one, if the condition holds (`nothing`: always). */
export interface Transition {
  condition: readonly CodeRange[] | 'nothing' | 'start' | 'end' | Lookaround
  to: number
}

/** A pattern as a nondeterministic finite automaton (NFA). It accepts the strings in which the pattern matches anywhere. Positions are its states. */
export interface PatternPositions {
  /** Transitions from each position. */
  transitions: readonly (readonly Transition[])[]
  first: number
  last: number
  /** Lookbehinds of the pattern; each may begin anywhere. */
  behind: readonly { start: number; accept: number }[]
  /** Whether the pattern has look-arounds or word boundaries. */
  hasLookarounds: boolean
}

/** Most positions of one pattern, with bounded repetitions expanded. */
const maxPatternPositions = 3_000

/** @throws PatternError for unsupported syntax, quoting its text */
export function readPattern(pattern: unknown): PatternPositions {
  if (typeof pattern !== 'string') throw new PatternError(`"pattern" ${shownValue(pattern)}, which is not a string`)
  return new PatternReader(pattern).read()
}

class PatternReader {
  readonly #pattern: string
  readonly #transitions: Transition[][] = []
  readonly #behind: { start: number; accept: number }[] = []
  #hasLookarounds = false
  /** Kind of the look-around being read; null outside. */
  #inside: 'ahead' | 'not ahead' | 'behind' | null = null

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  read(): PatternPositions {
    const { alternatives } = this.#parse()
    const last = this.#newPosition()
    this.#add(last, anyCharacter, last)
    const first = this.#newPosition()
    this.#add(first, anyCharacter, first)
    this.#add(first, 'nothing', this.#alternatives(alternatives, last))
    return { transitions: this.#transitions, first, last, behind: this.#behind, hasLookarounds: this.#hasLookarounds }
  }

  #parse(): AST.Pattern {
    try {
      return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(this.#pattern, 0, this.#pattern.length, { unicode: true })
    } catch (error) {
      throw new PatternError(
        `"pattern" ${JSON.stringify(this.#pattern)} which is not a regular expression (flag u): ${(error as Error).message}`,
      )
    }
  }

  #newPosition(): number {
    if (this.#transitions.length >= maxPatternPositions) {
      throw new PatternError(
        `"pattern" ${JSON.stringify(this.#pattern)} of more than ${maxPatternPositions} places, repetitions written out`,
      )
    }
    return this.#transitions.push([]) - 1
  }

  #add(from: number, condition: Transition['condition'], to: number): void {
    this.#transitions[from]!.push({ condition, to })
  }

  #alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const start = this.#newPosition()
    for (const { elements } of alternatives) {
      this.#add(
        start,
        'nothing',
        elements.reduceRight((behind, element) => this.#element(element, behind), next),
      )
    }
    return start
  }

  /** The position before an element that leads to `next`. */
  #element(element: AST.Element, next: number): number {
    switch (element.type) {
      case 'Group':
        if (element.modifiers !== null) break
        return this.#alternatives(element.alternatives, next)
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, next)
      case 'Quantifier':
        return this.#repeated(element, next)
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass': {
        const ranges = rangesOf(element)
        if (ranges === null) break
        return this.#before(ranges, next)
      }
      case 'Assertion': {
        if (element.kind === 'start' || element.kind === 'end') return this.#before(element.kind, next)
        const look = this.#look(element as AST.LookaroundAssertion | AST.WordBoundaryAssertion)
        if (look === null) break
        this.#hasLookarounds = true
        return this.#before(look, next)
      }
    }
    throw new PatternError(`"pattern" ${JSON.stringify(this.#pattern)} with ${element.raw}, which is not supported`)
  }

  /** Null for one nested in another in a way that is not supported. */
  #look(element: AST.LookaroundAssertion | AST.WordBoundaryAssertion): Lookaround | null {
    if (element.kind === 'word')
      return this.#inside === null || this.#inside === 'ahead' ? { kind: 'boundary', negate: element.negate } : null
    if (this.#inside !== null && (this.#inside !== 'ahead' || element.kind === 'lookbehind')) return null
    const around = this.#inside
    this.#inside = element.kind === 'lookbehind' ? 'behind' : element.negate ? 'not ahead' : 'ahead'
    const accept = this.#newPosition()
    const body = this.#alternatives(element.alternatives, accept)
    this.#inside = around
    if (element.kind === 'lookahead') return { kind: 'ahead', negate: element.negate, start: body, accept }
    const start = this.#newPosition()
    this.#add(start, anyCharacter, start)
    this.#add(start, 'nothing', body)
    this.#behind.push({ start, accept })
    return { kind: 'behind', negate: element.negate, part: this.#behind.length - 1 }
  }

  #before(condition: Transition['condition'], next: number): number {
    const position = this.#newPosition()
    this.#add(position, condition, next)
    return position
  }

  #repeated({ element, min, max }: AST.Quantifier, next: number): number {
    let position = next
    if (max === Infinity) {
      position = this.#newPosition()
      this.#add(position, 'nothing', next)
      this.#add(position, 'nothing', this.#element(element, position))
    } else {
      for (let count = min; count < max; count += 1) {
        const optional = this.#newPosition()
        this.#add(optional, 'nothing', next)
        this.#add(optional, 'nothing', this.#element(element, position))
        position = optional
      }
    }
    for (let count = 0; count < min; count += 1) position = this.#element(element, position)
    return position
  }
}
