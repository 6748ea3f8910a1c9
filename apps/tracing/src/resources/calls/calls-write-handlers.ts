import { badRequest, tooLarge, type Handlers, type tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { TracingContext } from '../../context.ts'
import { readCompleted, readEnd, readHalves, readStart, type ProjectChange } from './call-batch.ts'
import type { CallsStore } from './calls-store.ts'
import type { CallsWriter, ProjectChanges } from './calls-writer.ts'
import { displayNameProblem } from './check-call.ts'
import { withDescendants } from './descendants.ts'

type Calls = (typeof tracing)['calls']
type WriteOperation = 'start' | 'end' | 'upsertBatch' | 'startV2' | 'endV2' | 'complete' | 'update' | 'delete'

const maxDeletedIds = 1000

interface CallsWriteDeps {
  store: CallsStore
  writer: CallsWriter
  clock: () => Micros
}

/** Operations that write calls. */
export function callsWriteHandlers({ store, writer, clock }: CallsWriteDeps): Handlers<Pick<Calls, WriteOperation>, TracingContext> {
  const writeOne = async (context: TracingContext, { project_id, change }: ProjectChange) =>
    writer.write([{ project: await context.open(project_id), changes: [change] }])

  const start: Handlers<Pick<Calls, 'start'>, TracingContext>['start'] = async ({ start: record }, context) => {
    const { ids, change } = readStart(record, context.caller.userId)
    await writeOne(context, { project_id: record.project_id, change })
    return ids
  }
  const end: Handlers<Pick<Calls, 'end'>, TracingContext>['end'] = async ({ end: record }, context) => {
    await writeOne(context, { project_id: record.project_id, change: readEnd(record) })
    return {}
  }
  return {
    start,
    end,
    startV2: ({ start: record }, context) => start({ start: record }, context),
    endV2: ({ end: record }, context) => end({ end: record }, context),

    async upsertBatch({ batch }, context) {
      const { changes, answers } = readHalves(batch, context.caller.userId)
      await writer.write(await byProject(changes, context))
      return { res: answers }
    },

    async complete({ batch }, context) {
      await writer.write(await byProject(readCompleted(batch, context.caller.userId), context))
      return {}
    },

    async update({ project_id, call_id, display_name }, context) {
      if (display_name === null) throw badRequest('display_name is missing: it is the one thing that an update changes')
      const problem = displayNameProblem(display_name)
      if (problem !== undefined) throw badRequest(problem)
      await writeOne(context, { project_id, change: { kind: 'rename', id: call_id, display_name, at: clock() } })
      return {}
    },

    async delete({ project_id, call_ids }, context) {
      if (call_ids.length > maxDeletedIds) throw tooLarge()
      const project = await context.open(project_id)
      const requested = [...new Set(call_ids)]
      const live = withDescendants(await store.findTraces(project, requested), requested)
      if (live.length === 0) return { num_deleted: 0 }
      const ids = [...new Set([...requested, ...live])]
      const deleted_at = clock()
      await writer.write([{ project, changes: ids.map((id) => ({ kind: 'delete', id, deleted_at })) }])
      return { num_deleted: ids.length }
    },
  }
}

async function byProject(changes: readonly ProjectChange[], context: TracingContext): Promise<ProjectChanges[]> {
  const groups = new Map<string, ProjectChange['change'][]>()
  for (const { project_id, change } of changes) {
    const own = groups.get(project_id)
    if (own === undefined) groups.set(project_id, [change])
    else own.push(change)
  }
  return Promise.all([...groups].map(async ([id, own]) => ({ project: await context.open(id), changes: own })))
}
