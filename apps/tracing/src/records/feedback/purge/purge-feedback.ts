import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { DeletionsStore } from '../../../deletions/deletions-store.ts'
import type { FeedbackWriter } from '../write/feedback-writer.ts'
import type { FeedbackRemovalStore } from './feedback-removal-store.ts'

/** Up to so many ids are purged by their request. */
const maxPurgedAtOnce = 10_000

/**
 * Deletes the feedback with these ids, each of them once; unknown ones are ignored. Above 10,000 ids the feedback is hidden together when this resolves, and
 * removed by a job, which continues after a crash.
 * @throws ApiError 429 where too many purges of the project have not ended
 */
export type PurgeFeedback = (project: ProjectScope, ids: readonly string[]) => Promise<void>

export interface PurgeFeedbackDeps {
  writer: Pick<FeedbackWriter, 'purge'>
  removal: Pick<FeedbackRemovalStore, 'list' | 'measure' | 'unlist'>
  deletions: Pick<DeletionsStore, 'begin'>
  clock: () => Micros
  newId: () => string
}

export function createPurgeFeedback({ writer, removal, deletions, clock, newId }: PurgeFeedbackDeps): PurgeFeedback {
  return async (project, ids) => {
    if (ids.length <= maxPurgedAtOnce) return writer.purge(project, ids)
    const id = newId()
    try {
      await removal.list(
        project,
        id,
        ids.filter((each) => !each.includes('\0')),
      )
      const { count, last_version } = await removal.measure(project, id)
      if (count === 0) return await removal.unlist(project, id)
      const traces = { whole_traces: [], part_traces: [] }
      await deletions.begin(project, { id, kind: 'feedback', ...traces, total: count, deleted_at: clock(), last_version, object_id: null })
    } catch (error) {
      // A list without a deletion hides nothing.
      await removal.unlist(project, id).catch(() => undefined)
      throw error
    }
  }
}
