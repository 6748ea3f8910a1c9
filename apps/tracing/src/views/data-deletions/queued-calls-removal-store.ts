import type { ProjectScope } from '@heddle/identity'

/** Items of annotation queues that hold calls of a deletion. */
export interface QueuedCallsRemovalStore {
  count(project: ProjectScope, callIds: readonly string[]): Promise<number>
  /** Items of all calls of the project. */
  countAll(project: ProjectScope): Promise<number>
  /** Removes the items of these calls with their progress, and resolves to their number. */
  remove(project: ProjectScope, callIds: readonly string[]): Promise<number>
}
