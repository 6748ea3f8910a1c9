import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { JobHandler } from '@heddle/jobs'
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

/** Passes over the calls of a project as a whole: who writes to it meanwhile must not keep them going. */
const maxProjectPasses = 5

/**
 * Removes the calls of a deletion, and calls `onRemoved` with their number after each part. It may be repeated from the start: removed calls are not found
 * again.
 */
export type RemoveDeletedCalls = (
  project: ProjectScope,
  deletion: Deletion,
  work: { signal: AbortSignal; onRemoved: (calls: number) => Promise<void> },
) => Promise<void>

export function createRemoveDeletedCalls({
  removal,
  writer,
  removedAtOnce,
}: Pick<RemoveCallsDeps, 'removal' | 'writer' | 'removedAtOnce'>): RemoveDeletedCalls {
  async function removePart(project: ProjectScope, deletion: Deletion, part: readonly CallPosition[]): Promise<void> {
    const ids = part.map(({ id }) => id)
    await writer.deletePlaces(project, { ids, deleted_at: deletion.deleted_at }, () => removal.placesOf(project, deletion, part))
  }

  /** Resolves to the number of removed calls. */
  async function removeOnce(...[project, deletion, { signal, onRemoved }]: Parameters<RemoveDeletedCalls>): Promise<number> {
    let found = 0
    let after: CallPosition | null = null
    for (;;) {
      signal.throwIfAborted()
      const part: CallPosition[] = await removal.remaining(project, deletion, { after, limit: removedAtOnce })
      if (part.length === 0) return found
      await removePart(project, deletion, part)
      found += part.length
      after = part.at(-1) ?? null
      await onRemoved(part.length)
    }
  }

  // Calls that arrive meanwhile, or that are moved to another start, are found by another pass.
  return async (project, deletion, work) => {
    const isOfProject = deletion.request?.selection.kind === 'project'
    for (let pass = 1; (await removeOnce(project, deletion, work)) > 0; pass++) if (isOfProject && pass === maxProjectPasses) return
  }
}

/** A job that removes the calls that a deletion hides. */
export function createRemoveCalls(deps: RemoveCallsDeps): JobHandler {
  const { deletions, removal, clock } = deps
  const removeDeleted = createRemoveDeletedCalls(deps)
  return async ({ project, payload }, context) => {
    const { deletion: id } = payload as { deletion: string }
    const deletion = await deletions.find(project, id)
    if (deletion === undefined || deletion.ended_at !== null) return null
    let { removed } = deletion
    await removeDeleted(project, deletion, {
      signal: context.signal,
      async onRemoved(calls) {
        removed += calls
        await deletions.noteRemoved(project, id, removed)
        context.progress(Math.min(1, removed / deletion.total), { removed, total: deletion.total })
      },
    })
    // Data derived from these calls is hidden until then, too.
    await removal.settle(project, [...deletion.whole_traces, ...deletion.part_traces])
    if (deletion.part_traces.length > 0) await removal.unlist(project, id)
    await context.commit((transaction) => deletions.end(transaction, id, clock()))
    deletions.ended()
    return { removed }
  }
}
