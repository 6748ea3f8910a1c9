import { formatTimestamp, type Handlers, type tracing } from '@heddle/core-api'
import { badRequest, conflict, notFound } from '@heddle/core-api/internal'
import type { DataDeletion as Shown, DataSelection } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { canonicalJson } from '@heddle/json'
import type { TracingContext } from '../../context.ts'
import type { DataDeletion, DataRequest, DeletionsStore } from '../../deletions/deletions-store.ts'
import { noData } from './data-counts.ts'
import type { ListedCallsStore } from './listed-calls-store.ts'
import type { SelectData } from './select-data.ts'

export interface DataDeletionsDeps {
  deletions: Pick<DeletionsStore, 'begin' | 'find' | 'listOfData'>
  lists: Pick<ListedCallsStore, 'check' | 'unlist'>
  select: Pick<SelectData, 'list'>
  clock: () => Micros
  newId: () => string
}

export function dataDeletionsHandlers({
  deletions,
  lists,
  select,
  clock,
  newId,
}: DataDeletionsDeps): Handlers<(typeof tracing)['dataDeletions'], TracingContext> {
  async function findOfData(project: ProjectScope, id: string): Promise<DataDeletion | undefined> {
    const found = await deletions.find(project, id)
    return found?.kind === 'data' ? (found as DataDeletion) : undefined
  }

  async function readOfData(project: ProjectScope, id: string): Promise<DataDeletion> {
    const found = await findOfData(project, id)
    if (found === undefined) throw notFound(`deletion ${id} of project ${project.id} not found`)
    return found
  }

  async function countSelected(project: ProjectScope, selection: DataSelection) {
    const id = newId()
    try {
      return await select.list(project, id, selection)
    } finally {
      if (selection.kind !== 'project') await lists.unlist(project, id)
    }
  }

  async function begin(project: ProjectScope, id: string, request: DataRequest): Promise<DataDeletion> {
    const ofData = { kind: 'data', whole_traces: [], part_traces: [], last_version: 0, object_id: null } as const
    const report = { found: null, removed: noData, receipt: null }
    try {
      await deletions.begin(project, { ...ofData, id, total: 0, deleted_at: clock(), request, report })
    } catch (error) {
      // Another request with the same id may have begun it.
      const found = await findOfData(project, id)
      if (found === undefined) throw error
      return found
    }
    return readOfData(project, id)
  }

  return {
    async start({ project_id, id, selection, dry_run }, context) {
      const project = await context.open(project_id)
      checkSelection(selection)
      if (project.internalId === '') throw notFound(`project ${project_id} not found: nothing was written to it`)
      if (selection.kind !== 'project') await lists.check(project, selection)
      if (dry_run) return { found: await countSelected(project, selection), deletion: null }
      const { userId: requested_by, keyId: key_id } = context.caller
      const begun = (await findOfData(project, id)) ?? (await begin(project, id, { selection, requested_by, key_id }))
      if (canonicalJson(begun.request.selection) !== canonicalJson(selection))
        throw conflict(`deletion ${id} was started with a different selection: use a new id for this one`)
      return { found: null, deletion: toShown(begun) }
    },

    async read({ project_id, id }, context) {
      return toShown(await readOfData(await context.open(project_id), id))
    },

    async query({ project_id, limit }, context) {
      const found = await deletions.listOfData(await context.open(project_id), limit)
      return { deletions: found.map(toShown) }
    },
  }
}

/** @throws 400 for a query of all calls: a deletion of a project says that it is one */
function checkSelection(selection: DataSelection): void {
  if (selection.kind !== 'calls') return
  const { filter, query } = selection
  const isEmpty = query === null && Object.values(filter ?? {}).every((part) => part === null)
  if (isEmpty) throw badRequest('selection has neither filter nor query: use kind "project" to delete the whole project')
}

function toShown({ id, request, report, deleted_at, ended_at }: DataDeletion): Shown {
  return {
    id,
    selection: request.selection,
    state: ended_at !== null ? 'ended' : report.found === null ? 'selecting' : 'removing',
    requested_by: request.requested_by,
    requested_at: formatTimestamp(deleted_at),
    ...report,
  }
}
