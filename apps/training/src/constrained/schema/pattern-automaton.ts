import type { StringBounds } from '../frames/string.ts'
import type { CompiledSize } from './compiled-size.ts'
import { LookRunner } from './look-runner.ts'
import type { PatternPositions } from './pattern-positions.ts'
import { type CharacterStep, type PatternRunner, PlainRunner } from './pattern-runner.ts'
import type { CodeRange } from './pattern-symbols.ts'
import { PatternError } from './pattern-error.ts'

/** After a character of a string. Every state leads to an end. */
export interface PatternState {
  isEnd: boolean
  /** Characters to the nearest end. */
  distance: number
  /** Sorted and disjoint. */
  ways: { range: CodeRange; to: PatternState }[]
}

/** The state after a character; null if no permitted string continues like this. */
export function stateAfter<State extends PatternState>(state: State, code: number): State | null {
  return (state.ways.find(({ range: [low, high] }) => low <= code && code <= high)?.to as State | undefined) ?? null
}

/** Where a text leads; null where no string begins like it. */
export function stateBehind<State extends PatternState>(start: State, text: string): State | null {
  let state: State | null = start
  for (const character of text) state = state && stateAfter(state, character.codePointAt(0)!)
  return state
}

/** States of the strings of one schema, and steps that finding them may take. */
export const patternLimits = { states: 10_000, work: 20_000_000 }

/** Positions of each pattern, and how many characters lead there as far as the minimum depends on it. */
interface Draft {
  places: readonly unknown[]
  count: number
  state: PatternState
}

/** The strings of at least `min` characters that all patterns allow; null if there are none of up to `max`. @throws PatternError beyond the limits */
export function createPatternAutomaton(
  patterns: readonly PatternPositions[],
  { min, max }: StringBounds,
  size: CompiledSize,
): PatternState | null {
  const start = new AutomatonBuilder(patterns, min, size).build()
  return start === null || start.distance > max ? null : start
}

class AutomatonBuilder {
  readonly #runners: readonly PatternRunner<unknown>[]
  readonly #min: number
  readonly #size: CompiledSize
  readonly #drafts = new Map<string, Draft>()
  readonly #parents = new Map<PatternState, PatternState[]>()
  #work = 0

  constructor(patterns: readonly PatternPositions[], min: number, size: CompiledSize) {
    const count = (work: number) => this.#count(work)
    this.#runners = patterns.map(
      (pattern) => (pattern.hasLooks ? new LookRunner(pattern, count) : new PlainRunner(pattern, count)) as PatternRunner<unknown>,
    )
    this.#min = min
    this.#size = size
  }

  build(): PatternState | null {
    const first = this.#draft(
      this.#runners.map((runner) => runner.start()),
      0,
    )
    for (const draft of this.#drafts.values()) this.#expand(draft)
    this.#measure()
    for (const { state } of this.#drafts.values()) state.ways = state.ways.filter(({ to }) => to.distance < Infinity)
    return first.distance < Infinity ? first : null
  }

  #draft(places: readonly unknown[], count: number): PatternState {
    const key = `${count} ${places.map((place, at) => this.#runners[at]!.key(place)).join('\n')}`
    const known = this.#drafts.get(key)
    if (known) return known.state
    if (this.#drafts.size >= patternLimits.states)
      throw new PatternError(`patterns and lengths that take more than ${patternLimits.states} states`)
    this.#size.addStates(1)
    const isEnd = count >= this.#min && places.every((place, at) => this.#runners[at]!.canEnd(place))
    const state: PatternState = { isEnd, distance: isEnd ? 0 : Infinity, ways: [] }
    this.#drafts.set(key, { places, count, state })
    return state
  }

  #count(steps: number): void {
    this.#work += steps
    this.#size.addWork(steps)
    if (this.#work > patternLimits.work) throw new PatternError(`patterns that take more than ${patternLimits.work} steps to combine`)
  }

  #expand({ places, count, state }: Draft): void {
    const steps = places.map((place, at) => this.#runners[at]!.ways(place))
    for (const range of pieces(steps.flat())) {
      this.#count(steps.reduce((sum, each) => sum + each.length, 0))
      const next = places.map((place, at) => this.#runners[at]!.follow(place, range))
      if (next.includes(null)) continue
      const to = this.#draft(next, Math.min(count + 1, this.#min))
      this.#size.addTransitions(1)
      state.ways.push({ range, to })
      const parents = this.#parents.get(to)
      if (parents) parents.push(state)
      else this.#parents.set(to, [state])
    }
    state.ways = withoutCuts(state.ways)
  }

  /** From the ends backwards. */
  #measure(): void {
    const reached = new Set([...this.#drafts.values()].map(({ state }) => state).filter(({ isEnd }) => isEnd))
    for (const state of reached) {
      for (const parent of this.#parents.get(state) ?? []) {
        parent.distance = Math.min(parent.distance, state.distance + 1)
        reached.add(parent)
      }
    }
  }
}

/** Merges adjacent ranges that lead to the same state. */
function withoutCuts(ways: PatternState['ways']): PatternState['ways'] {
  const joined: PatternState['ways'] = []
  for (const way of ways) {
    const before = joined.at(-1)
    if (before?.to === way.to && before.range[1] + 1 === way.range[0]) before.range = [before.range[0], way.range[1]]
    else joined.push(way)
  }
  return joined
}

/** Ranges within which every step takes all characters or none. Surrogates are not characters. */
function pieces(steps: readonly CharacterStep[]): CodeRange[] {
  const cuts = new Set([0, 0xd800, 0xe000, 0x110000])
  for (const { over } of steps) for (const [low, high] of over) cuts.add(low).add(high + 1)
  const sorted = [...cuts].sort((a, b) => a - b)
  return sorted
    .slice(0, -1)
    .map((low, at): CodeRange => [low, sorted[at + 1]! - 1])
    .filter(([low]) => low < 0xd800 || low > 0xdfff)
}
