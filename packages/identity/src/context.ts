import type { Caller } from './caller.ts'
import type { ProjectScope } from './project-scope.ts'

/** What a handler knows of the request besides its input. */
export interface Context {
  /** @throws 401 for a request to an open operation that came without a key. */
  readonly caller: Caller
  /**
   * Opens a project for the effect of the operation. A write creates a project that is not there yet; a read of one gives a scope
   * without an internal id, in which nothing is found.
   * @throws 400 for a malformed id, 403 when the key may not do this there, whether the project exists or not.
   */
  open(projectId: string): Promise<ProjectScope>
}
