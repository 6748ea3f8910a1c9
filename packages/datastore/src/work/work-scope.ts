import { setMaxListeners } from 'node:events'

/** The caller of a statement. Permits are shared fairly among callers, and among the projects of a caller. */
export interface Tenant {
  /** The API key. */
  caller: string
  project: string
}

/** The tenant that the store works for, and the signal that ends the work. */
export interface WorkScope {
  /** Undefined for work of the server itself, which needs no permit. */
  readonly tenant: Tenant | undefined
  /** Aborts when the result is no longer needed. Undefined for work that is never cancelled. */
  readonly signal: AbortSignal | undefined
  /** True for work that writes: all of its reads are consistent, as those with `isConsistent`. Default false. */
  readonly isWriting?: boolean
  /** The projects whose rows are read, if there is no tenant. Undefined: any. */
  readonly projects?: readonly string[] | undefined
}

/** The projects whose rows are read; undefined: any. Only rows of these need be in their tables before. */
export function projectsOf({ tenant, projects }: WorkScope): readonly string[] | undefined {
  return tenant === undefined ? projects : [tenant.project]
}

/** Work of the server itself. */
export const serverWork: WorkScope = { tenant: undefined, signal: undefined }

/** Work of the server itself that changes what it reads. */
export const serverChange: WorkScope = { ...serverWork, isWriting: true }

/**
 * One statement for several requests: cancelled once all of them have ended. It belongs to no tenant and needs no permit, so the
 * caller must limit how many of them run.
 */
export function sharedWork(scopes: readonly WorkScope[]): WorkScope {
  const signals = [...new Set(scopes.map(({ signal }) => signal))]
  const isWriting = scopes.some((scope) => scope.isWriting === true)
  const all = scopes.map(projectsOf)
  const projects = all.includes(undefined) ? undefined : [...new Set(all.flatMap((own) => own ?? []))]
  if (signals.includes(undefined)) {
    const work = isWriting ? serverChange : serverWork
    return projects === undefined ? work : { ...work, projects }
  }
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
  return { tenant: undefined, signal: controller.signal, isWriting, projects }
}

/** Decides when the statement of a tenant may run. */
export interface StatementPermits {
  /** Resolves to a function that releases the permit; undefined if none is free in time, or the signal aborts first. */
  acquire(tenant: Tenant, signal: AbortSignal): Promise<(() => void) | undefined>
}
