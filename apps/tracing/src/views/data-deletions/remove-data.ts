import type { DataCounts } from '@heddle/core-api/types'
import { type Analytical, callsTable, feedbackTable, type Micros, sweepTombstones, tracesTable, usageTable } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { DataRequest, DeletionsStore } from '../../deletions/deletions-store.ts'
import type { CallRemovalStore } from '../../records/calls/write/call-removal-store.ts'
import type { RemoveDeletedCalls } from '../../records/calls/write/remove-calls.ts'
import type { FeedbackWriter } from '../../records/feedback/write/feedback-writer.ts'
import type { TablesStore } from '../../records/tables/tables-store.ts'
import type { ListedCallsStore } from './listed-calls-store.ts'
import { type ListPart, pagesOf } from './list-pages.ts'
import type { NamedContentStore } from './named-content-store.ts'
import type { ProjectRecordsStore } from './project-records-store.ts'
import { coversTraces } from './query-of-selection.ts'
import type { QueuedCallsRemovalStore } from './queued-calls-removal-store.ts'
import { createRemoveVersions, type RemoveVersionsDeps } from './remove-versions.ts'
import type { SelectData } from './select-data.ts'
import type { SelectedFeedbackStore } from './selected-feedback-store.ts'

export interface RemoveDataDeps extends Omit<RemoveVersionsDeps, 'selected' | 'clock'> {
  analytical: Analytical
  deletions: Pick<DeletionsStore, 'find'>
  lists: ListedCallsStore
  select: Pick<SelectData, 'callIds'>
  removeDeletedCalls: RemoveDeletedCalls
  settle: CallRemovalStore['settle']
  feedback: SelectedFeedbackStore
  feedbackWriter: Pick<FeedbackWriter, 'purge'>
  queued: QueuedCallsRemovalStore
  versions: RemoveVersionsDeps['selected']
  content: NamedContentStore
  tables: Pick<TablesStore, 'forget'>
  records: ProjectRecordsStore
  clock: () => Micros
}

export interface RemovalOfData extends DataRequest {
  deletionId: string
  signal: AbortSignal
  /** Called after each part. */
  onRemoved(kind: keyof DataCounts, count: number): Promise<void>
}

/** Removes all that a deletion of data covers from the stores, and from the disk. May be repeated from any point. */
export type RemoveData = (project: ProjectScope, removal: RemovalOfData) => Promise<void>

const feedbackAtOnce = 10_000
/** Traces that are added up again by one statement. */
const tracesAtOnce = 1_000
/** Digests that all records are searched for together. */
const digestsAtOnce = 200

export function createRemoveData(deps: RemoveDataDeps): RemoveData {
  const { analytical, deletions, lists, select, feedback, feedbackWriter, queued, content, records, clock } = deps
  const removeVersions = createRemoveVersions({ ...deps, selected: deps.versions })

  async function removeCalls(project: ProjectScope, { deletionId, signal, onRemoved }: RemovalOfData): Promise<void> {
    const deletion = await deletions.find(project, deletionId)
    if (deletion === undefined) return
    await deps.removeDeletedCalls(project, deletion, { signal, onRemoved: (calls) => onRemoved('calls', calls) })
  }

  /** Recomputes the data derived from the calls, and removes links to traces that are gone. */
  async function settleTraces(project: ProjectScope, { deletionId, selection, signal }: RemovalOfData): Promise<void> {
    const read = (part: ListPart) =>
      selection.kind === 'project' ? lists.allTraceIds(project, part) : lists.traceIds(project, deletionId, part)
    const areGone = selection.kind === 'project' || coversTraces(selection)
    for await (const traces of pagesOf(read, tracesAtOnce)) {
      signal.throwIfAborted()
      await deps.settle(project, traces)
      if (areGone) await records.removeLinks(project, traces)
    }
  }

  async function removeFeedback(project: ProjectScope, { deletionId, selection, signal, onRemoved }: RemovalOfData): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const ids = await feedback.ids(project, { deletionId, selection }, feedbackAtOnce)
      if (ids.length === 0) return
      await feedbackWriter.purge(project, ids)
      await onRemoved('feedback', ids.length)
    }
  }

  async function removeQueued(project: ProjectScope, { deletionId, signal, onRemoved }: RemovalOfData): Promise<void> {
    for await (const ids of select.callIds(project, deletionId)) {
      signal.throwIfAborted()
      const removed = await queued.remove(project, ids)
      if (removed > 0) await onRemoved('annotation_items', removed)
    }
  }

  async function sweepDisk(signal: AbortSignal): Promise<void> {
    for (const table of [callsTable, feedbackTable, tracesTable, usageTable]) await sweepTombstones({ analytical, table, signal })
    signal.throwIfAborted()
  }

  /** Digests of a page that no record names any more. */
  async function unnamed(project: ProjectScope, digests: readonly string[]): Promise<string[]> {
    const named = await content.stillNamed(project, digests)
    return digests.filter((digest) => !named.has(digest))
  }

  async function removeTables(project: ProjectScope, removal: RemovalOfData): Promise<void> {
    const before = clock()
    for await (const some of pagesOf((part) => content.tables(project, removal, part), digestsAtOnce)) {
      removal.signal.throwIfAborted()
      const tables = await unnamed(project, some)
      if (tables.length === 0) continue
      const rows = await content.removeTables(project, tables, before)
      deps.tables.forget(project, tables)
      await removal.onRemoved('table_rows', rows)
      await removal.onRemoved('tables', tables.length)
    }
  }

  async function removeFiles(project: ProjectScope, removal: RemovalOfData): Promise<void> {
    const before = clock()
    for await (const some of pagesOf((part) => content.files(project, removal, part), digestsAtOnce)) {
      removal.signal.throwIfAborted()
      const files = await unnamed(project, some)
      if (files.length > 0) await removal.onRemoved('files', await content.removeFiles(project, files, before))
    }
  }

  return async (project, removal) => {
    const { selection, requested_by, signal, onRemoved } = removal
    await removeCalls(project, removal)
    await settleTraces(project, removal)
    await removeFeedback(project, removal)
    await removeQueued(project, removal)
    const onVersions = (versions: number) => onRemoved('object_versions', versions)
    await removeVersions(project, { selection, requestedBy: requested_by, signal, onRemoved: onVersions })
    // First, since rows that were removed still name content until then.
    await sweepDisk(signal)
    await removeTables(project, removal)
    await removeFiles(project, removal)
    if (selection.kind === 'project') await records.removeAll(project)
  }
}
