import { setMaxListeners } from 'node:events'

/** Whose work a statement is. Callers take turns at the engine, and so do the projects of a caller. */
export interface Tenant {
  /** The API key. */
  caller: string
  project: string
}

/** For whom the store works, and until when anyone waits for the answer. */
export interface WorkScope {
  /** Undefined for work of the server itself, which waits for no permit. */
  readonly tenant: Tenant | undefined
  /** Aborts when nobody waits for the answer any more. Undefined for work that is always wanted. */
  readonly signal: AbortSignal | undefined
}

/** Work that the server does on its own account. */
export const serverWork: WorkScope = { tenant: undefined, signal: undefined }

/**
 * One statement for several requests: cancelled once none of them waits any more. It needs no permit, since it is no tenant's own; whoever
 * shares statements bounds how many of them run.
 */
export function sharedWork(scopes: readonly WorkScope[]): WorkScope {
  const signals = [...new Set(scopes.map(({ signal }) => signal))]
  if (signals.includes(undefined)) return serverWork
  const controller = new AbortController()
  let waiting = signals.length
  const leave = () => {
    if (--waiting === 0) controller.abort()
  }
  for (const signal of signals) {
    if (signal === undefined) continue
    // A request may share in any number of statements.
    setMaxListeners(0, signal)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  return { tenant: undefined, signal: controller.signal }
}

/** Decides when a statement of a tenant may run. */
export interface StatementPermits {
  /** Resolves to what gives the permit back; undefined when the permit does not come in time, or the signal aborts first. */
  acquire(tenant: Tenant, signal: AbortSignal): Promise<(() => void) | undefined>
}
