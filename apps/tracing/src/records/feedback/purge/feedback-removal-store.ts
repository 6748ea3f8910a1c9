import type { ProjectScope } from '@heddle/identity'
import type { Deletion } from '../../../deletions/deletions-store.ts'

/** The feedback that a purge of many finds under its listed ids. */
export interface ListedFeedback {
  count: number
  /** The highest version of any of them; 0 if there is none. */
  last_version: number
}

/** Data of a purge of many feedback in the analytical store, and how the feedback is found. */
export interface FeedbackRemovalStore {
  /** Lists ids for a deletion: readers see their feedback until the deletion has begun. Resolves when they are durable. */
  list(project: ProjectScope, deletionId: string, ids: readonly string[]): Promise<void>
  unlist(project: ProjectScope, deletionId: string): Promise<void>
  /** The listed feedback that is there. */
  measure(project: ProjectScope, deletionId: string): Promise<ListedFeedback>
  /** Ids of feedback of a deletion that is still there, at most `limit`. */
  remaining(project: ProjectScope, deletion: Deletion, limit: number): Promise<string[]>
}
