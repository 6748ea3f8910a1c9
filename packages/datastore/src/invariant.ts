/** Thrown where an invariant does not hold: a bug of the program, which is stopped before it stores wrong data. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
  readonly invariant: string

  constructor(invariant: string, detail: string) {
    super(`invariant ${invariant} does not hold${detail === '' ? '' : `: ${detail}`}; this is a bug, please report it`)
    this.invariant = invariant
  }
}

/** Called with the first failure of each invariant since the listener was added. Must not throw. */
export type InvariantListener = (error: InvariantError) => void

// One count for the process: an invariant is checked deep below what a server passes down, and its failure concerns the whole program.
const counts = new Map<string, number>()
const listeners = new Map<InvariantListener, Set<string>>()

/**
 * Checks what must hold before data is written. `name` is `<subject>.<rule>`, unique per call; `detail` is called on failure only, and must not quote
 * the content of calls.
 * @throws InvariantError, once the failure is counted and reported
 */
export function invariant(holds: boolean, name: string, detail: () => string = () => ''): asserts holds {
  if (holds) return
  const error = new InvariantError(name, detail())
  countInvariantFailure(error)
  throw error
}

/** Counts a failure that was thrown in another process. */
export function countInvariantFailure(error: InvariantError): void {
  counts.set(error.invariant, (counts.get(error.invariant) ?? 0) + 1)
  for (const [listener, reported] of listeners) {
    if (reported.has(error.invariant)) continue
    reported.add(error.invariant)
    listener(error)
  }
}

/** Failures in this process since it started, by the name of the invariant; empty if there are none. */
export function invariantFailures(): Record<string, number> {
  return Object.fromEntries(counts)
}

/** Adds a listener; call the returned function to remove it. */
export function onInvariantFailure(listener: InvariantListener): () => void {
  listeners.set(listener, new Set())
  return () => void listeners.delete(listener)
}
