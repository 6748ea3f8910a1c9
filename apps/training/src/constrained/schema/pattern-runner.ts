import type { PatternPositions, Step } from './pattern-positions.ts'
import type { CodeRange } from './pattern-symbols.ts'

/** Follows one pattern through a text, for a state of the automaton. */
export interface PatternRunner<Place> {
  start(): Place
  /** Equal for equal positions. */
  key(place: Place): string
  /** Steps whose characters determine the continuation. */
  ways(place: Place): readonly CharacterStep[]
  /** Null if no string continues like this. The position's steps do not distinguish the characters of the range. */
  follow(place: Place, range: CodeRange): Place | null
  canEnd(place: Place): boolean
}

export interface CharacterStep extends Step {
  over: readonly CodeRange[]
}

export function takesCharacter(step: Step): step is CharacterStep {
  return Array.isArray(step.over)
}

export function targetsOf(steps: readonly CharacterStep[], [at]: CodeRange): number[] {
  return [...new Set(steps.filter(({ over }) => over.some(([low, high]) => low <= at && at <= high)).map(({ to }) => to))]
}

interface PlainPlace {
  set: readonly number[]
  isStart: boolean
}

/** A pattern without look-arounds: a set of positions is its whole state. */
export class PlainRunner implements PatternRunner<PlainPlace> {
  readonly #pattern: PatternPositions
  readonly #count: (work: number) => void

  constructor(pattern: PatternPositions, count: (work: number) => void) {
    this.#pattern = pattern
    this.#count = count
  }

  start(): PlainPlace {
    return { set: this.#closure([this.#pattern.first], true, false), isStart: true }
  }

  key({ set, isStart }: PlainPlace): string {
    return `${isStart ? '^' : ''}${set.join()}`
  }

  ways({ set }: PlainPlace): CharacterStep[] {
    return set.flatMap((place) => this.#pattern.steps[place]!.filter(takesCharacter))
  }

  follow(place: PlainPlace, range: CodeRange): PlainPlace | null {
    const set = this.#closure(targetsOf(this.ways(place), range), false, false)
    return set.length === 0 ? null : { set, isStart: false }
  }

  canEnd({ set, isStart }: PlainPlace): boolean {
    return this.#closure(set, isStart, true).includes(this.#pattern.last)
  }

  /** Positions that are reached without a character. */
  #closure(from: readonly number[], isStart: boolean, isEnd: boolean): number[] {
    const reached = new Set(from)
    for (const place of reached) {
      const steps = this.#pattern.steps[place]!
      this.#count(steps.length)
      for (const { over, to } of steps)
        if (over === 'nothing' || (over === 'start' && isStart) || (over === 'end' && isEnd)) reached.add(to)
    }
    return [...reached].sort((a, b) => a - b)
  }
}
