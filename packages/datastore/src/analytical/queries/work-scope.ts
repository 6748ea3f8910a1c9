import { setMaxListeners } from 'node:events'

/** Whom a statement runs for. Permits are shared fairly among callers, and among the projects of a caller. */
export interface Tenant {
  /** The API key. */
  caller: string
  project: string
}

/** Whom the store works for, and until when. */
export interface WorkScope {
  /** Undefined for work of the server itself, which needs no permit. */
  readonly tenant: Tenant | undefined
  /** Aborts when the result is no longer needed. Undefined for work that is never cancelled. */
  readonly signal: AbortSignal | undefined
}

/** Work of the server itself. */
export const serverWork: WorkScope = { tenant: undefined, signal: undefined }

/**
 * One statement for several requests: cancelled once all of them have ended. It belongs to no tenant and needs no permit, so the
 * caller must limit how many of them run.
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

/** Decides when the statement of a tenant may run. */
export interface StatementPermits {
  /** Resolves to a function that releases the permit; undefined when there is none in time, or the signal aborts first. */
  acquire(tenant: Tenant, signal: AbortSignal): Promise<(() => void) | undefined>
}
