import type { CompiledSize } from './compiled-size.ts'
import { LookaroundRunner } from './lookaround-runner.ts'
import type { PatternPositions } from './pattern-positions.ts'
import { type CharacterTransition, type PatternRunner, PlainRunner } from './pattern-runner.ts'
import type { CodeRange } from './pattern-symbols.ts'
import { PatternError } from './pattern-error.ts'

/** Characters (code points) that a string may have. */
export interface StringBounds {
  min: number
  /** Infinity: any number. */
  max: number
}

/** A state of the deterministic automaton, between two characters of a string. An end can be reached from every state. */
export interface PatternState {
  isEnd: boolean
  /** Characters to the nearest end. */
  distance: number
  /** Sorted and disjoint. */
  transitions: { range: CodeRange; to: PatternState }[]
}

/** The state after a character; null if no permitted string continues like this. */
export function stateAfter<State extends PatternState>(state: State, code: number): State | null {
  return (state.transitions.find(({ range: [low, high] }) => low <= code && code <= high)?.to as State | undefined) ?? null
}

/** Where a text leads; null where no string begins like it. */
export function stateBehind<State extends PatternState>(start: State, text: string): State | null {
  let state: State | null = start
  for (const character of text) state = state && stateAfter(state, character.codePointAt(0)!)
  return state
}

/** Most states of the automata of one schema, and most steps to build them. */
export const patternLimits = { states: 10_000, work: 20_000_000 }

/** A state with those of each pattern's runner, and how many characters lead there, up to the minimum. */
interface Draft {
  runnerStates: readonly unknown[]
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
      (pattern) =>
        (pattern.hasLookarounds ? new LookaroundRunner(pattern, count) : new PlainRunner(pattern, count)) as PatternRunner<unknown>,
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
    this.#measureDistances()
    for (const { state } of this.#drafts.values()) state.transitions = state.transitions.filter(({ to }) => to.distance < Infinity)
    return first.distance < Infinity ? first : null
  }

  #draft(runnerStates: readonly unknown[], count: number): PatternState {
    const key = `${count} ${runnerStates.map((runnerState, at) => this.#runners[at]!.key(runnerState)).join('\n')}`
    const known = this.#drafts.get(key)
    if (known) return known.state
    if (this.#drafts.size >= patternLimits.states)
      throw new PatternError(`patterns and lengths that take more than ${patternLimits.states} states`)
    this.#size.addStates(1)
    const isEnd = count >= this.#min && runnerStates.every((runnerState, at) => this.#runners[at]!.canEnd(runnerState))
    const state: PatternState = { isEnd, distance: isEnd ? 0 : Infinity, transitions: [] }
    this.#drafts.set(key, { runnerStates, count, state })
    return state
  }

  #count(steps: number): void {
    this.#work += steps
    this.#size.addWork(steps)
    if (this.#work > patternLimits.work) throw new PatternError(`patterns that take more than ${patternLimits.work} steps to combine`)
  }

  #expand({ runnerStates, count, state }: Draft): void {
    const transitions = runnerStates.map((runnerState, at) => this.#runners[at]!.transitions(runnerState))
    for (const range of pieces(transitions.flat())) {
      this.#count(transitions.reduce((sum, each) => sum + each.length, 0))
      const next = runnerStates.map((runnerState, at) => this.#runners[at]!.follow(runnerState, range))
      if (next.includes(null)) continue
      const to = this.#draft(next, Math.min(count + 1, this.#min))
      this.#size.addTransitions(1)
      state.transitions.push({ range, to })
      const parents = this.#parents.get(to)
      if (parents) parents.push(state)
      else this.#parents.set(to, [state])
    }
    state.transitions = mergeRanges(state.transitions)
  }

  /** Sets the distance of every state, backwards from the ends. */
  #measureDistances(): void {
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
function mergeRanges(transitions: PatternState['transitions']): PatternState['transitions'] {
  const joined: PatternState['transitions'] = []
  for (const transition of transitions) {
    const before = joined.at(-1)
    if (before?.to === transition.to && before.range[1] + 1 === transition.range[0]) before.range = [before.range[0], transition.range[1]]
    else joined.push(transition)
  }
  return joined
}

/** Splits all characters, without surrogates, into ranges of which every transition takes all characters or none. */
function pieces(transitions: readonly CharacterTransition[]): CodeRange[] {
  const cuts = new Set([0, 0xd800, 0xe000, 0x110000])
  for (const { condition } of transitions) for (const [low, high] of condition) cuts.add(low).add(high + 1)
  const sorted = [...cuts].sort((a, b) => a - b)
  return sorted
    .slice(0, -1)
    .map((low, at): CodeRange => [low, sorted[at + 1]! - 1])
    .filter(([low]) => low < 0xd800 || low > 0xdfff)
}
