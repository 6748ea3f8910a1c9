import { bind, type DeletingAnalytical, type Micros, serverChange, sql } from '@heddle/datastore'
import type { DeletionsStore } from '../../../deletions/deletions-store.ts'
import { deletionOfList } from '../../../deletions/lists.ts'
import type { CallRemovalStore } from './call-removal-store.ts'

/** The list of a deletion. */
interface ListedDeletion {
  project_id: string
  deletion_id: string
  /** Traces of the calls; `''` for feedback. */
  traces: string[]
}

export interface AbandonedListsDeps {
  analytical: DeletingAnalytical
  deletions: Pick<DeletionsStore, 'running'>
  removal: Pick<CallRemovalStore, 'unlist' | 'settle'>
}

/**
 * Removes what deletions have listed that never began, since their server ended before that, and adds up the traces of these calls again. Only lists
 * that were written before a time: one that is being written has no deletion yet either.
 */
export async function removeAbandonedLists(
  { analytical, deletions, removal }: AbandonedListsDeps,
  before: Micros,
  signal: AbortSignal,
): Promise<void> {
  const listed = await analytical
    .of({ ...serverChange, signal })
    .rows<ListedDeletion>(
      sql`SELECT project_id, deletion_id, groupUniqArray(trace_id) AS traces FROM heddle.deleted_calls WHERE version < ${bind('UInt64', before)} GROUP BY project_id, deletion_id`,
    )
  if (listed.length === 0) return
  const running = await deletions.running()
  for (const { project_id: id, deletion_id, traces } of listed) {
    signal.throwIfAborted()
    if (running.has(deletionOfList(deletion_id))) continue
    await removal.unlist({ id }, deletion_id)
    const ofCalls = traces.filter((trace) => trace !== '')
    if (ofCalls.length > 0) await removal.settle({ id }, ofCalls)
  }
}
