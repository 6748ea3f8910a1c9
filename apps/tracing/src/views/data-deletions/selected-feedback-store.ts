import type { DataSelection } from '@heddle/core-api/types'
import type { ProjectScope } from '@heddle/identity'

/** The feedback that a deletion of data covers: by its user, and on its listed calls. */
export interface SelectedFeedbackStore {
  count(project: ProjectScope, selected: FeedbackOfDeletion): Promise<number>
  ids(project: ProjectScope, selected: FeedbackOfDeletion, limit: number): Promise<string[]>
  /** Texts of the form of a digest in it, in parts. */
  named(project: ProjectScope, selected: FeedbackOfDeletion): AsyncIterable<string[]>
}

export interface FeedbackOfDeletion {
  deletionId: string
  selection: DataSelection
}
