import type { CompiledSize } from './compiled-size.ts'
import { type PatternState, stateAfter } from './pattern-automaton.ts'
import type { CodeRange } from './pattern-symbols.ts'

/** After a character of a name. Every state leads to an end. */
export interface NameState extends PatternState {
  /** Kind of the names that end here; null if none does. */
  kind: number | null
  transitions: { range: CodeRange; to: NameState }[]
}

/** A name of any characters. */
export const anyName: NameState = createAnyName()

function createAnyName(): NameState {
  const state: NameState = { isEnd: true, distance: 0, kind: 0, transitions: [] }
  state.transitions.push({ range: [0, 0xd7ff], to: state }, { range: [0xe000, 0x10ffff], to: state })
  return state
}

/**
 * The names of each kind.
 * @param kindOf what a name is that the automata with these bits take; null: no name like this is possible
 * @returns null when no name is possible
 * @throws SchemaError when that becomes too large
 */
export function createNames(
  automata: readonly (PatternState | null)[],
  kindOf: (taken: number) => number | null,
  size: CompiledSize,
): NameState | null {
  const drafts = new Map<string, { at: readonly (PatternState | null)[]; state: NameState }>()
  const numbers = new Map<PatternState, number>()
  const numberOf = (state: PatternState) => numbers.get(state) ?? (numbers.set(state, numbers.size), numbers.size - 1)
  const draft = (at: readonly (PatternState | null)[]): NameState => {
    const key = at.map((state) => (state === null ? '' : numberOf(state))).join()
    const known = drafts.get(key)
    if (known) return known.state
    size.addStates(1)
    const taken = at.reduce((bits, state, place) => (state?.isEnd ? bits | (1 << place) : bits), 0)
    const state: NameState = { isEnd: false, distance: Infinity, kind: kindOf(taken), transitions: [] }
    drafts.set(key, { at, state })
    return state
  }
  const start = draft(automata)
  for (const { at, state } of drafts.values()) {
    for (const range of pieces(at)) {
      size.addTransitions(1)
      state.transitions.push({ range, to: draft(at.map((each) => (each === null ? null : stateAfter(each, range[0])))) })
    }
  }
  return withPossibleKinds(start, () => true)
}

/** Ranges within which each automaton has one transition. Surrogates are not characters. */
function pieces(at: readonly (PatternState | null)[]): CodeRange[] {
  const cuts = new Set([0, 0xd800, 0xe000, 0x110000])
  for (const state of at) for (const { range } of state?.transitions ?? []) cuts.add(range[0]).add(range[1] + 1)
  const sorted = [...cuts].sort((a, b) => a - b)
  return sorted
    .slice(0, -1)
    .map((low, index): CodeRange => [low, sorted[index + 1]! - 1])
    .filter(([low]) => low < 0xd800 || low > 0xdfff)
}

/** The same names without those of impossible kinds; null when none is left. The states are those of `start`, changed. */
export function withPossibleKinds(start: NameState, isPossible: (kind: number) => boolean): NameState | null {
  const states = statesFrom(start)
  const parents = new Map<NameState, NameState[]>()
  for (const state of states) {
    if (state.kind !== null && !isPossible(state.kind)) state.kind = null
    state.isEnd = state.kind !== null
    state.distance = state.isEnd ? 0 : Infinity
    for (const { to } of state.transitions) parents.set(to, [...(parents.get(to) ?? []), state])
  }
  const reached = new Set([...states].filter(({ isEnd }) => isEnd))
  for (const state of reached) {
    for (const parent of parents.get(state) ?? []) {
      parent.distance = Math.min(parent.distance, state.distance + 1)
      reached.add(parent)
    }
  }
  for (const state of states) state.transitions = state.transitions.filter(({ to }) => to.distance < Infinity)
  return start.distance < Infinity ? start : null
}

function statesFrom<State extends PatternState>(start: State): Set<State> {
  const states = new Set([start])
  for (const state of states) for (const { to } of state.transitions) states.add(to as State)
  return states
}
