import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { JobContext, JobHandler } from '@heddle/jobs'
import type { Deletion, DeletionsStore } from '../../../deletions/deletions-store.ts'
import type { CallPosition, CallRemovalStore } from './call-removal-store.ts'
import type { CallsWriter } from './calls-writer.ts'

export interface RemoveCallsDeps {
  deletions: Pick<DeletionsStore, 'find' | 'noteRemoved' | 'end' | 'ended'>
  removal: Pick<CallRemovalStore, 'remaining' | 'placesOf' | 'settle' | 'unlist'>
  writer: Pick<CallsWriter, 'deletePlaces'>
  clock: () => Micros
  /** Calls that are removed together. */
  removedAtOnce: number
}

/** A job that removes the calls that a deletion hides. It may begin again anywhere: what is removed is not found again. */
export function createRemoveCalls({ deletions, removal, writer, clock, removedAtOnce }: RemoveCallsDeps): JobHandler {
  async function removePart(project: ProjectScope, deletion: Deletion, part: readonly CallPosition[]): Promise<void> {
    const ids = part.map(({ id }) => id)
    await writer.deletePlaces(project, { ids, deleted_at: deletion.deleted_at }, () => removal.placesOf(project, deletion, part))
  }

  /** Calls that arrive meanwhile, or that are moved to another start, are found by another pass. */
  async function removeAll(project: ProjectScope, deletion: Deletion, { signal, progress }: JobContext): Promise<number> {
    let removed = deletion.removed
    for (let found = 1; found > 0;) {
      found = 0
      let after: CallPosition | null = null
      for (;;) {
        signal.throwIfAborted()
        const part: CallPosition[] = await removal.remaining(project, deletion, { after, limit: removedAtOnce })
        if (part.length === 0) break
        await removePart(project, deletion, part)
        found += part.length
        removed += part.length
        after = part.at(-1) ?? null
        await deletions.noteRemoved(project, deletion.id, removed)
        progress(Math.min(1, removed / deletion.total), { removed, total: deletion.total })
      }
    }
    return removed
  }

  return async ({ project, payload }, context) => {
    const { deletion: id } = payload as { deletion: string }
    const deletion = await deletions.find(project, id)
    if (deletion === undefined || deletion.ended_at !== null) return null
    const removed = await removeAll(project, deletion, context)
    // Data derived from these calls is hidden until then, too.
    await removal.settle(project, [...deletion.whole_traces, ...deletion.part_traces])
    if (deletion.part_traces.length > 0) await removal.unlist(project, id)
    await context.commit((transaction) => deletions.end(transaction, id, clock()))
    deletions.ended()
    return { removed }
  }
}
