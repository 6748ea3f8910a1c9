import type { Caller } from './caller.ts'
import type { ProjectScope } from './project-scope.ts'

/** The request for which projects are opened. */
export interface RequestWork {
  /** Id of the key whose turn its statements take. */
  caller: string
  /** Aborts when the client leaves. Read when the first project is opened. */
  readonly signal: AbortSignal
}

/** What a handler knows of the request besides its input. */
export interface Context {
  /** @throws 401 for a request to an open operation that came without a key. */
  readonly caller: Caller
  /** The request on whose account projects are opened. */
  readonly work: RequestWork
  /**
   * Opens a project for the effect of the operation. A write creates a project that is not there yet; a read of one gives a scope
   * without an internal id, in which nothing is found.
   * @throws 400 for a malformed id, 403 when the key may not do this there, whether the project exists or not.
   */
  open(projectId: string): Promise<ProjectScope>
}
