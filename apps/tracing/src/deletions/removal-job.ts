import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { JobHandler } from '@heddle/jobs'
import type { Deletion, DeletionsStore } from './deletions-store.ts'

export interface RemovalProgress {
  /** Records that were removed. */
  removed: number
  /** True when none of the deletion is left. */
  isDone: boolean
}

export interface RemovalJobDeps {
  deletions: Pick<DeletionsStore, 'find' | 'noteRemoved' | 'end' | 'ended'>
  /** Removes a bounded part of the records that a deletion hides. Removed records are not found again. */
  removeSome: (project: ProjectScope, deletion: Deletion) => Promise<RemovalProgress>
  /** Removes the deletion's own data, once all of its records are removed. */
  clear?: (project: ProjectScope, deletionId: string) => Promise<void>
  clock: () => Micros
}

/** A job that removes what a deletion hides, part by part. It may begin again anywhere. */
export function createRemovalJob({ deletions, removeSome, clear, clock }: RemovalJobDeps): JobHandler {
  return async ({ project, payload }, { signal, progress, commit }) => {
    const { deletion: id } = payload as { deletion: string }
    const deletion = await deletions.find(project, id)
    if (deletion === undefined || deletion.ended_at !== null) return null
    let { removed } = deletion
    for (let isDone = false; !isDone;) {
      signal.throwIfAborted()
      const some = await removeSome(project, deletion)
      isDone = some.isDone
      if (some.removed === 0) continue
      removed += some.removed
      await deletions.noteRemoved(project, id, removed)
      progress(Math.min(1, removed / deletion.total), { removed, total: deletion.total })
    }
    await clear?.(project, id)
    await commit((transaction) => deletions.end(transaction, id, clock()))
    deletions.ended()
    return { removed }
  }
}
