import type { Effect, Micros } from '@heddle/core-api'
import type { Caller } from './caller.ts'
import type { ProjectScope } from './project/project-scope.ts'

/** The request that opens projects. */
export interface RequestWork {
  /** Id of the key whose queue its statements join. */
  caller: string
  /** Aborts when the client disconnects. Read when the first project is opened. */
  readonly signal: AbortSignal
  /**
   * Called with each project that the caller may use, before it is opened: counts the request for the limits of the project.
   * @throws ApiError 429. Absent: the request does not count.
   */
  readonly charge?: ((projectId: string, effect: Effect) => void | Promise<void>) | undefined
}

/** Which of the projects of a caller. */
export interface ProjectPage {
  /** Text that the id contains, in any case; `''` for all. */
  contains: string
  /** Only ids after this one; `''` for all. */
  after: string
  limit: number
}

export interface ListedProject {
  scope: ProjectScope
  created_at: Micros
}

/** A handler's view of the request besides its input. */
export interface Context {
  /** @throws 401 when a request to an open operation has no key. */
  readonly caller: Caller
  /** The request that opens the projects. */
  readonly work: RequestWork
  /**
   * Opens a project for the effect of the operation. A write creates a project that does not exist yet; a read then returns a scope
   * without an internal id, in which nothing is found.
   * @throws 400 for a malformed id, 403 when the key lacks permission, whether or not the project exists, 429 when the project has reached a limit.
   */
  open(projectId: string): Promise<ProjectScope>
  /**
   * Opens existing projects that the caller may use for the effect of the operation, in the order of their ids.
   * @throws 403 when the key may do so in no project.
   */
  list(page: ProjectPage): Promise<ListedProject[]>
}
