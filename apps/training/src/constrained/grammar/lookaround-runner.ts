import type { Lookaround, PatternPositions } from './pattern-positions.ts'
import { type CharacterTransition, type PatternRunner, consumesCharacter, targetsOf } from './pattern-runner.ts'
import { type CodeRange, wordCharacters } from './pattern-symbols.ts'

/** One path through the pattern, with its pending look-arounds. */
interface Thread {
  at: number
  /** Positions that must all reach the end of their lookahead. */
  required: readonly number[]
  /** Positions none of which may reach the end of their negative lookahead. */
  forbidden: readonly number[]
  /** The required kind of the next character, for a word to begin or end here; the end of the text is not a word character. */
  next: 'word' | 'other' | null
}

interface LookaroundState {
  threads: readonly Thread[]
  /** For each lookbehind, the positions reached by the text so far. */
  behind: readonly (readonly number[])[]
  /** The kind of the previous character. */
  before: 'start' | 'word' | 'other'
}

interface Context {
  isStart: boolean
  isEnd: boolean
  isBehindWord: boolean
  /** Indexes of the lookbehinds that match before this position. */
  found: ReadonlySet<number>
}

/**
 * Simulates a pattern with look-arounds or word boundaries. Each path through the NFA is followed separately with its pending look-arounds, so that a
 * state is a set of paths.
 */
export class LookaroundRunner implements PatternRunner<LookaroundState> {
  readonly #pattern: PatternPositions
  readonly #count: (work: number) => void
  readonly #accepts: ReadonlySet<number>

  constructor(pattern: PatternPositions, count: (work: number) => void) {
    this.#pattern = pattern
    this.#count = count
    const accepts = pattern.transitions
      .flat()
      .flatMap(({ condition }) =>
        typeof condition === 'object' && 'kind' in condition && condition.kind === 'ahead' ? [condition.accept] : [],
      )
    this.#accepts = new Set(accepts)
  }

  start(): LookaroundState {
    return this.#arrive(
      [{ at: this.#pattern.first, required: [], forbidden: [], next: null }],
      this.#pattern.behind.map(({ start }) => [start]),
      'start',
    )
  }

  key({ threads, behind, before }: LookaroundState): string {
    return `${before} ${behind.map((set) => set.join()).join('|')} ${threads.map(keyOf).join(';')}`
  }

  transitions({ threads, behind }: LookaroundState): CharacterTransition[] {
    const positions = new Set([...threads.flatMap(({ at, required, forbidden }) => [at, ...required, ...forbidden]), ...behind.flat()])
    const transitions = [...positions].flatMap((position) => this.#pattern.transitions[position]!.filter(consumesCharacter))
    // Separates word characters from others, since word boundaries depend on them. Its target is not used.
    return [...transitions, { condition: wordCharacters, to: 0 }]
  }

  follow({ threads, behind }: LookaroundState, range: CodeRange): LookaroundState | null {
    const isWord = wordCharacters.some(([low, high]) => low <= range[0] && range[0] <= high)
    const moved = threads.filter(({ next }) => next === null || (next === 'word') === isWord).flatMap((thread) => this.#move(thread, range))
    const sets = behind.map((set) => this.#targets(set, range))
    const state = this.#arrive(moved, sets, isWord ? 'word' : 'other')
    return state.threads.length === 0 ? null : state
  }

  canEnd({ threads, behind, before }: LookaroundState): boolean {
    const context = this.#context(behind, before, true)
    return threads.some((thread) => {
      if (thread.next === 'word') return false
      return this.#closure(thread, context).some(({ at, required, forbidden, next }) => {
        if (at !== this.#pattern.last || next === 'word') return false
        return (
          required.every((position) => this.#reaches(position, context)) && !forbidden.some((position) => this.#reaches(position, context))
        )
      })
    })
  }

  #targets(set: readonly number[], range: CodeRange): number[] {
    return targetsOf(
      set.flatMap((position) => this.#pattern.transitions[position]!.filter(consumesCharacter)),
      range,
    )
  }

  /** One path for each combination of continuations of pending lookaheads. */
  #move({ at, required, forbidden }: Thread, range: CodeRange): Thread[] {
    const after = this.#targets(forbidden, range)
    let threads = this.#targets([at], range).map((to): Thread => ({ at: to, required: [], forbidden: after, next: null }))
    for (const position of required) {
      const choices = this.#targets([position], range)
      threads = threads.flatMap((thread) => choices.map((to) => ({ ...thread, required: [...thread.required, to] })))
      this.#count(threads.length)
    }
    return threads
  }

  #arrive(threads: readonly Thread[], behind: readonly (readonly number[])[], before: LookaroundState['before']): LookaroundState {
    const sets = behind.map((set) => this.#reach(set, before === 'start'))
    const context = this.#context(sets, before, false)
    const arrived = threads.flatMap((thread) => this.#closure(thread, context)).flatMap((thread) => this.#settle(thread, context))
    return { threads: withoutSubsumed(arrived, this.#count), behind: sets, before }
  }

  #context(behind: readonly (readonly number[])[], before: LookaroundState['before'], isEnd: boolean): Context {
    const found = new Set(this.#pattern.behind.flatMap(({ accept }, part) => (behind[part]!.includes(accept) ? [part] : [])))
    return { isStart: before === 'start', isEnd, isBehindWord: before === 'word', found }
  }

  /** The path without the lookaheads that have matched; empty if a negative one has. Several paths where a lookahead may continue in several ways. */
  #settle(thread: Thread, context: Context): Thread[] {
    const forbidden = this.#reach(thread.forbidden, context.isStart)
    if (forbidden.some((position) => this.#accepts.has(position))) return []
    let threads: Thread[] = [{ ...thread, required: [], forbidden }]
    for (const position of thread.required) {
      const reached = this.#closure({ at: position, required: [], forbidden: [], next: null }, context)
      if (reached.some(isSatisfiedAt(this.#accepts))) continue
      threads = threads.flatMap((each) => reached.flatMap((path) => merged(each, path)))
      this.#count(threads.length)
    }
    return threads.map((each) => ({ ...each, required: sorted(each.required), forbidden: sorted(each.forbidden) }))
  }

  /** Epsilon closure: the paths that are reached without a character. */
  #closure(thread: Thread, context: Context): Thread[] {
    const reached = new Map([[keyOf(thread), thread]])
    for (const path of reached.values()) {
      const transitions = this.#pattern.transitions[path.at]!
      this.#count(transitions.length + 1)
      for (const { condition, to } of transitions) {
        if (Array.isArray(condition)) continue
        const further = this.#through(path, condition as Exclude<typeof condition, readonly CodeRange[]>, context)
        if (further !== null) reached.set(keyOf({ ...further, at: to }), { ...further, at: to })
      }
    }
    return [...reached.values()]
  }

  #through(
    thread: Thread,
    condition: 'nothing' | 'start' | 'end' | Lookaround,
    { isStart, isEnd, isBehindWord, found }: Context,
  ): Thread | null {
    if (condition === 'nothing') return thread
    if (condition === 'start') return isStart ? thread : null
    if (condition === 'end') return isEnd ? thread : null
    if (condition.kind === 'behind') return found.has(condition.part) === condition.negate ? null : thread
    if (condition.kind === 'boundary') return withNextKind(thread, isBehindWord === condition.negate ? 'word' : 'other')
    return condition.negate
      ? { ...thread, forbidden: sorted([...thread.forbidden, condition.start]) }
      : { ...thread, required: sorted([...thread.required, condition.start]) }
  }

  #reaches(position: number, context: Context): boolean {
    return this.#closure({ at: position, required: [], forbidden: [], next: null }, context).some(
      ({ at, required, forbidden, next }) =>
        this.#accepts.has(at) &&
        next !== 'word' &&
        required.every((each) => this.#reaches(each, context)) &&
        !forbidden.some((each) => this.#reaches(each, context)),
    )
  }

  /** Epsilon closure of positions in lookbehinds and negative lookaheads, which have no look-arounds inside. */
  #reach(from: readonly number[], isStart: boolean): number[] {
    const reached = new Set(from)
    for (const position of reached) {
      const transitions = this.#pattern.transitions[position]!
      this.#count(transitions.length)
      for (const { condition, to } of transitions) if (condition === 'nothing' || (condition === 'start' && isStart)) reached.add(to)
    }
    return sorted([...reached])
  }
}

const sorted = (positions: readonly number[]) => [...new Set(positions)].sort((a, b) => a - b)
const keyOf = ({ at, required, forbidden, next }: Thread) => `${at}+${required.join()}-${forbidden.join()}${next ?? ''}`
const isSatisfiedAt =
  (accepts: ReadonlySet<number>) =>
  ({ at, required, forbidden, next }: Thread) =>
    accepts.has(at) && required.length === 0 && forbidden.length === 0 && next === null

function withNextKind(thread: Thread, next: 'word' | 'other'): Thread | null {
  return thread.next === null || thread.next === next ? { ...thread, next } : null
}

/** A path with the pending look-arounds of both; empty if they require different kinds of the next character. */
function merged(thread: Thread, other: Thread): Thread[] {
  const base = other.next === null ? thread : withNextKind(thread, other.next)
  return base === null
    ? []
    : [{ ...base, required: [...base.required, other.at, ...other.required], forbidden: [...base.forbidden, ...other.forbidden] }]
}

/** Drops each path that is subsumed by another: at the same position, with a subset of its pending look-arounds. */
function withoutSubsumed(threads: readonly Thread[], count: (work: number) => void): Thread[] {
  const all = [...new Map(threads.map((thread) => [keyOf(thread), thread])).values()]
  count(all.length * Math.min(all.length, 64))
  const kept: Thread[] = []
  for (const thread of all.toSorted((a, b) => a.required.length + a.forbidden.length - (b.required.length + b.forbidden.length)))
    if (!kept.some((other) => isSubsumed(thread, other))) kept.push(thread)
  return kept.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function isSubsumed(thread: Thread, by: Thread): boolean {
  const isPart = (some: readonly number[], all: readonly number[]) => some.every((position) => all.includes(position))
  return (
    by.at === thread.at &&
    (by.next === null || by.next === thread.next) &&
    isPart(by.required, thread.required) &&
    isPart(by.forbidden, thread.forbidden)
  )
}
