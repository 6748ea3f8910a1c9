import type { Look, PatternPositions } from './pattern-positions.ts'
import { type CharacterStep, type PatternRunner, takesCharacter, targetsOf } from './pattern-runner.ts'
import { type CodeRange, wordCharacters } from './pattern-symbols.ts'

/** One path through the pattern, with its pending look-arounds. */
interface Thread {
  at: number
  /** Positions that must all reach the end of their lookahead. */
  must: readonly number[]
  /** Positions none of which may reach the end of their negative lookahead. */
  never: readonly number[]
  /** The required kind of the next character, for a word to begin or end here; the end of the text is not a word character. */
  next: 'word' | 'other' | null
}

interface LookPlace {
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
  /** Lookbehinds that match up to this position. */
  found: ReadonlySet<number>
}

/**
 * A pattern with lookahead, lookbehind, or word boundaries. Each path through it is followed separately, with its pending look-arounds: a position in
 * the text is a set of such paths.
 */
export class LookRunner implements PatternRunner<LookPlace> {
  readonly #pattern: PatternPositions
  readonly #count: (work: number) => void
  readonly #accepts: ReadonlySet<number>

  constructor(pattern: PatternPositions, count: (work: number) => void) {
    this.#pattern = pattern
    this.#count = count
    const looks = pattern.steps
      .flat()
      .flatMap(({ over }) => (typeof over === 'object' && 'kind' in over && over.kind === 'ahead' ? [over.accept] : []))
    this.#accepts = new Set(looks)
  }

  start(): LookPlace {
    return this.#arrive(
      [{ at: this.#pattern.first, must: [], never: [], next: null }],
      this.#pattern.behind.map(({ start }) => [start]),
      'start',
    )
  }

  key({ threads, behind, before }: LookPlace): string {
    return `${before} ${behind.map((set) => set.join()).join('|')} ${threads.map(keyOf).join(';')}`
  }

  ways({ threads, behind }: LookPlace): CharacterStep[] {
    const places = new Set([...threads.flatMap(({ at, must, never }) => [at, ...must, ...never]), ...behind.flat()])
    const steps = [...places].flatMap((place) => this.#pattern.steps[place]!.filter(takesCharacter))
    // Word characters are distinguished from others if the next position depends on it.
    return [...steps, { over: wordCharacters, to: 0 }]
  }

  follow({ threads, behind }: LookPlace, range: CodeRange): LookPlace | null {
    const isWord = wordCharacters.some(([low, high]) => low <= range[0] && range[0] <= high)
    const moved = threads.filter(({ next }) => next === null || (next === 'word') === isWord).flatMap((thread) => this.#move(thread, range))
    const sets = behind.map((set) => this.#targets(set, range))
    const place = this.#arrive(moved, sets, isWord ? 'word' : 'other')
    return place.threads.length === 0 ? null : place
  }

  canEnd({ threads, behind, before }: LookPlace): boolean {
    const context = this.#context(behind, before, true)
    return threads.some((thread) => {
      if (thread.next === 'word') return false
      return this.#closure(thread, context).some(({ at, must, never, next }) => {
        if (at !== this.#pattern.last || next === 'word') return false
        return must.every((place) => this.#reaches(place, context)) && !never.some((place) => this.#reaches(place, context))
      })
    })
  }

  #targets(set: readonly number[], range: CodeRange): number[] {
    return targetsOf(
      set.flatMap((place) => this.#pattern.steps[place]!.filter(takesCharacter)),
      range,
    )
  }

  /** One path for each combination of continuations of pending lookaheads. */
  #move({ at, must, never }: Thread, range: CodeRange): Thread[] {
    const after = this.#targets(never, range)
    let threads = this.#targets([at], range).map((to): Thread => ({ at: to, must: [], never: after, next: null }))
    for (const place of must) {
      const choices = this.#targets([place], range)
      threads = threads.flatMap((thread) => choices.map((to) => ({ ...thread, must: [...thread.must, to] })))
      this.#count(threads.length)
    }
    return threads
  }

  #arrive(threads: readonly Thread[], behind: readonly (readonly number[])[], before: LookPlace['before']): LookPlace {
    const sets = behind.map((set) => this.#reach(set, before === 'start'))
    const context = this.#context(sets, before, false)
    const arrived = threads.flatMap((thread) => this.#closure(thread, context)).flatMap((thread) => this.#settle(thread, context))
    return { threads: withoutImplied(arrived, this.#count), behind: sets, before }
  }

  #context(behind: readonly (readonly number[])[], before: LookPlace['before'], isEnd: boolean): Context {
    const found = new Set(this.#pattern.behind.flatMap(({ accept }, part) => (behind[part]!.includes(accept) ? [part] : [])))
    return { isStart: before === 'start', isEnd, isBehindWord: before === 'word', found }
  }

  /** Without satisfied lookaheads; empty if a negative lookahead matched. */
  #settle(thread: Thread, context: Context): Thread[] {
    const never = this.#reach(thread.never, context.isStart)
    if (never.some((place) => this.#accepts.has(place))) return []
    let threads: Thread[] = [{ ...thread, must: [], never }]
    for (const place of thread.must) {
      const reached = this.#closure({ at: place, must: [], never: [], next: null }, context)
      if (reached.some(isPlainAt(this.#accepts))) continue
      threads = threads.flatMap((each) => reached.flatMap((way) => merged(each, way)))
      this.#count(threads.length)
    }
    return threads.map((each) => ({ ...each, must: sorted(each.must), never: sorted(each.never) }))
  }

  /** Ways that are reached without a character. */
  #closure(thread: Thread, context: Context): Thread[] {
    const reached = new Map([[keyOf(thread), thread]])
    for (const way of reached.values()) {
      const steps = this.#pattern.steps[way.at]!
      this.#count(steps.length + 1)
      for (const { over, to } of steps) {
        if (Array.isArray(over)) continue
        const further = this.#through(way, over as Exclude<typeof over, readonly CodeRange[]>, context)
        if (further !== null) reached.set(keyOf({ ...further, at: to }), { ...further, at: to })
      }
    }
    return [...reached.values()]
  }

  #through(thread: Thread, over: 'nothing' | 'start' | 'end' | Look, { isStart, isEnd, isBehindWord, found }: Context): Thread | null {
    if (over === 'nothing') return thread
    if (over === 'start') return isStart ? thread : null
    if (over === 'end') return isEnd ? thread : null
    if (over.kind === 'behind') return found.has(over.part) === over.negate ? null : thread
    if (over.kind === 'boundary') return needing(thread, isBehindWord === over.negate ? 'word' : 'other')
    return over.negate
      ? { ...thread, never: sorted([...thread.never, over.start]) }
      : { ...thread, must: sorted([...thread.must, over.start]) }
  }

  #reaches(place: number, context: Context): boolean {
    return this.#closure({ at: place, must: [], never: [], next: null }, context).some(
      ({ at, must, never, next }) =>
        this.#accepts.has(at) &&
        next !== 'word' &&
        must.every((each) => this.#reaches(each, context)) &&
        !never.some((each) => this.#reaches(each, context)),
    )
  }

  /** Positions that are reached without a character, in parts without look-arounds. */
  #reach(from: readonly number[], isStart: boolean): number[] {
    const reached = new Set(from)
    for (const place of reached) {
      const steps = this.#pattern.steps[place]!
      this.#count(steps.length)
      for (const { over, to } of steps) if (over === 'nothing' || (over === 'start' && isStart)) reached.add(to)
    }
    return sorted([...reached])
  }
}

const sorted = (places: readonly number[]) => [...new Set(places)].sort((a, b) => a - b)
const keyOf = ({ at, must, never, next }: Thread) => `${at}+${must.join()}-${never.join()}${next ?? ''}`
const isPlainAt =
  (accepts: ReadonlySet<number>) =>
  ({ at, must, never, next }: Thread) =>
    accepts.has(at) && must.length === 0 && never.length === 0 && next === null

function needing(thread: Thread, next: 'word' | 'other'): Thread | null {
  return thread.next === null || thread.next === next ? { ...thread, next } : null
}

/** A path with the requirements of both. */
function merged(thread: Thread, owed: Thread): Thread[] {
  const base = owed.next === null ? thread : needing(thread, owed.next)
  return base === null ? [] : [{ ...base, must: [...base.must, owed.at, ...owed.must], never: [...base.never, ...owed.never] }]
}

/** Without paths whose requirements include those of another path at the same position. */
function withoutImplied(threads: readonly Thread[], count: (work: number) => void): Thread[] {
  const all = [...new Map(threads.map((thread) => [keyOf(thread), thread])).values()]
  count(all.length * Math.min(all.length, 64))
  const kept: Thread[] = []
  for (const thread of all.toSorted((a, b) => a.must.length + a.never.length - (b.must.length + b.never.length)))
    if (!kept.some((other) => isImplied(thread, other))) kept.push(thread)
  return kept.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function isImplied(thread: Thread, by: Thread): boolean {
  const isPart = (some: readonly number[], all: readonly number[]) => some.every((place) => all.includes(place))
  return (
    by.at === thread.at && (by.next === null || by.next === thread.next) && isPart(by.must, thread.must) && isPart(by.never, thread.never)
  )
}
