import { createRemovalJob, type RemovalJobDeps } from '../../../deletions/removal-job.ts'
import type { FeedbackWriter } from '../write/feedback-writer.ts'
import type { FeedbackRemovalStore } from './feedback-removal-store.ts'

export interface RemoveFeedbackDeps extends Pick<RemovalJobDeps, 'deletions' | 'clock'> {
  removal: Pick<FeedbackRemovalStore, 'remaining' | 'unlist'>
  writer: Pick<FeedbackWriter, 'purge'>
  /** Feedback that is removed together. */
  removedAtOnce: number
}

/** A job that removes the feedback that a purge hides. */
export function createRemoveFeedback({ removal, writer, removedAtOnce, ...deps }: RemoveFeedbackDeps) {
  return createRemovalJob({
    ...deps,
    async removeSome(project, deletion) {
      const ids = await removal.remaining(project, deletion, removedAtOnce)
      if (ids.length > 0) await writer.purge(project, ids, { lastVersion: BigInt(deletion.last_version) })
      return { removed: ids.length, isDone: ids.length === 0 }
    },
    clear: (project, id) => removal.unlist(project, id),
  })
}
