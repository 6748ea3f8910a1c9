import type { DataCounts } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { JobContext, JobHandler } from '@heddle/jobs'
import type { DataDeletion, DeletionsStore } from '../../deletions/deletions-store.ts'
import { largerCounts } from './data-counts.ts'
import type { ListedCallsStore } from './listed-calls-store.ts'
import { toReceipt } from './receipt.ts'
import type { RemoveData } from './remove-data.ts'
import type { SelectData } from './select-data.ts'

export interface DeleteDataDeps {
  deletions: Pick<DeletionsStore, 'find' | 'noteReport' | 'end' | 'ended'>
  select: SelectData
  remove: RemoveData
  lists: Pick<ListedCallsStore, 'unlist'>
  clock: () => Micros
}

/** A job that deletes all data that a selection covers, and writes the receipt. It may begin again anywhere. */
export function createDeleteData({ deletions, select, remove, lists, clock }: DeleteDataDeps): JobHandler {
  async function listAll(project: ProjectScope, deletion: DataDeletion): Promise<DataDeletion> {
    const { id, report } = deletion
    if (report.found !== null) return deletion
    const { selection } = deletion.request
    const found = await select.list(project, id, selection)
    await select.listNamed(project, id, selection)
    const listed = { ...deletion, report: { ...report, found } }
    await deletions.noteReport(project, id, listed.report)
    return listed
  }

  /** Resolves to the counts of removed data, by this attempt and those before. */
  async function removeAll(
    project: ProjectScope,
    { id, request, report }: DataDeletion,
    { signal, progress }: JobContext,
  ): Promise<DataCounts> {
    const removed = { ...report.removed }
    await remove(project, {
      deletionId: id,
      ...request,
      signal,
      async onRemoved(kind, count) {
        removed[kind] += count
        await deletions.noteReport(project, id, { ...report, removed })
        progress(null, removed)
      },
    })
    return report.found === null ? removed : largerCounts(removed, report.found)
  }

  return async ({ project, payload }, context) => {
    const { deletion: id } = payload as { deletion: string }
    const begun = await deletions.find(project, id)
    if (begun === undefined || begun.ended_at !== null || begun.kind !== 'data') return null
    const deletion = await listAll(project, begun as DataDeletion)
    const removed = await removeAll(project, deletion, context)
    // What was removed is not found again, also where the lists are gone.
    const report = { ...deletion.report, removed }
    await deletions.noteReport(project, id, report)
    await lists.unlist(project, id)
    const ended_at = clock()
    const receipt = toReceipt(project.id, { ...deletion, report }, ended_at)
    await context.commit((transaction) => deletions.end(transaction, id, ended_at, { ...report, receipt }))
    deletions.ended()
    return removed
  }
}
