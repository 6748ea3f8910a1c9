import type { LimitChanges, LimitValues } from '@heddle/core-api/internal'

/** A project that a request has opened. */
export interface LimitedProject {
  readonly id: string
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined
}

/** The limits that were set for projects. */
export interface ProjectLimitsStore {
  /** For all requests of the project that wait for it, so none of them ends it. */
  read(projectId: string): Promise<LimitValues>
  /** Leaves alone what is absent from `changes`. */
  write(project: LimitedProject, changes: LimitChanges): Promise<void>
}
