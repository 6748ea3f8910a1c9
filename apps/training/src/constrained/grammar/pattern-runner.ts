import type { PatternPositions, Transition } from './pattern-positions.ts'
import type { CodeRange } from './pattern-symbols.ts'

/** Simulates the NFA of one pattern on a text, to build a DFA (subset construction). A state is the set of positions that the text so far may lead to. */
export interface PatternRunner<State> {
  start(): State
  /** Equal for equal states. */
  key(state: State): string
  /** Transitions whose characters determine the next state. */
  transitions(state: State): readonly CharacterTransition[]
  /** The state after a character of the range, whose characters no transition from here distinguishes. Null if no accepted string continues so. */
  follow(state: State, range: CodeRange): State | null
  canEnd(state: State): boolean
}

export interface CharacterTransition extends Transition {
  condition: readonly CodeRange[]
}

export function consumesCharacter(transition: Transition): transition is CharacterTransition {
  return Array.isArray(transition.condition)
}

export function targetsOf(transitions: readonly CharacterTransition[], [at]: CodeRange): number[] {
  return [...new Set(transitions.filter(({ condition }) => condition.some(([low, high]) => low <= at && at <= high)).map(({ to }) => to))]
}

interface PlainState {
  set: readonly number[]
  isStart: boolean
}

/** A pattern without look-arounds: a set of positions is its whole state. */
export class PlainRunner implements PatternRunner<PlainState> {
  readonly #pattern: PatternPositions
  readonly #count: (work: number) => void

  constructor(pattern: PatternPositions, count: (work: number) => void) {
    this.#pattern = pattern
    this.#count = count
  }

  start(): PlainState {
    return { set: this.#closure([this.#pattern.first], true, false), isStart: true }
  }

  key({ set, isStart }: PlainState): string {
    return `${isStart ? '^' : ''}${set.join()}`
  }

  transitions({ set }: PlainState): CharacterTransition[] {
    return set.flatMap((position) => this.#pattern.transitions[position]!.filter(consumesCharacter))
  }

  follow(state: PlainState, range: CodeRange): PlainState | null {
    const set = this.#closure(targetsOf(this.transitions(state), range), false, false)
    return set.length === 0 ? null : { set, isStart: false }
  }

  canEnd({ set, isStart }: PlainState): boolean {
    return this.#closure(set, isStart, true).includes(this.#pattern.last)
  }

  /** Epsilon closure: the positions that are reached without a character. */
  #closure(from: readonly number[], isStart: boolean, isEnd: boolean): number[] {
    const reached = new Set(from)
    for (const position of reached) {
      const transitions = this.#pattern.transitions[position]!
      this.#count(transitions.length)
      for (const { condition, to } of transitions)
        if (condition === 'nothing' || (condition === 'start' && isStart) || (condition === 'end' && isEnd)) reached.add(to)
    }
    return [...reached].sort((a, b) => a - b)
  }
}
