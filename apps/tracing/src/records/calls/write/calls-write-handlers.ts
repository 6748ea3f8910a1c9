import { isApiError, type Handlers, type tracing } from '@heddle/core-api'
import { badRequest, invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { runInSlices } from '@heddle/service-kit'
import type { TracingContext } from '../../../context.ts'
import { readCompleted, readEnd, readHalves, readStart, type ItemChange, type ProjectChange } from './call-batch.ts'
import type { WriteContext } from './call-input.ts'
import type { CallsWriter, ProjectChanges } from './calls-writer.ts'
import { callIdProblem, displayNameProblem } from './check-call.ts'
import type { DeleteCalls } from './delete-calls.ts'

type Calls = (typeof tracing)['calls']
type WriteOperation = 'start' | 'end' | 'upsertBatch' | 'startV2' | 'endV2' | 'complete' | 'update' | 'delete'

interface CallsWriteDeps {
  writer: CallsWriter
  deleteCalls: DeleteCalls
  mask: WriteContext['mask']
  clock: () => Micros
}

/** Operations that write calls. */
export function callsWriteHandlers({
  writer,
  deleteCalls,
  mask,
  clock,
}: CallsWriteDeps): Handlers<Pick<Calls, WriteOperation>, TracingContext> {
  const writeContextOf = (context: TracingContext): WriteContext => ({ userId: context.caller.userId, mask })
  const writeOne = async (context: TracingContext, { project_id, change }: ProjectChange) =>
    writer.write([{ project: await context.open(project_id), changes: [change] }])

  const start: Handlers<Pick<Calls, 'start'>, TracingContext>['start'] = async ({ start: record }, context) => {
    const { ids, change } = await runInSlices(readStart(record, writeContextOf(context)))
    await writeOne(context, { project_id: record.project_id, change })
    return ids
  }
  const end: Handlers<Pick<Calls, 'end'>, TracingContext>['end'] = async ({ end: record }, context) => {
    await writeOne(context, { project_id: record.project_id, change: await runInSlices(readEnd(record)) })
    return {}
  }
  return {
    start,
    end,
    startV2: ({ start: record }, context) => start({ start: record }, context),
    endV2: ({ end: record }, context) => end({ end: record }, context),

    async upsertBatch({ batch }, context) {
      const { changes, answers } = await runInSlices(readHalves(batch, writeContextOf(context)))
      await writer.write(await byProject(changes, context))
      return { res: answers }
    },

    async complete({ batch }, context) {
      await writer.write(await byProject(await runInSlices(readCompleted(batch, writeContextOf(context))), context))
      return {}
    },

    async update({ project_id, call_id, display_name }, context) {
      if (display_name === null) throw badRequest('display_name is required: nothing else of a call can be updated')
      const problem = displayNameProblem(display_name)
      if (problem !== undefined) throw badRequest(problem)
      const project = await context.open(project_id)
      // No call will ever have a malformed id, so its name need not be remembered.
      if (callIdProblem(call_id) === undefined)
        await writer.write([{ project, changes: [{ kind: 'rename', id: call_id, display_name, at: clock() }] }])
      return {}
    },

    async delete({ project_id, call_ids }, context) {
      return { num_deleted: await deleteCalls(await context.open(project_id), call_ids) }
    },
  }
}

async function byProject(items: readonly ItemChange[], context: TracingContext): Promise<ProjectChanges[]> {
  const groups = new Map<string, { locs: ItemChange['loc'][]; changes: ItemChange['change'][] }>()
  for (const { project_id, change, loc } of items) {
    const own = groups.get(project_id)
    if (own === undefined) groups.set(project_id, { locs: [loc], changes: [change] })
    else {
      own.changes.push(change)
      own.locs.push(loc)
    }
  }
  return Promise.all([...groups].map(async ([id, { locs, changes }]) => ({ project: await openFor(locs[0]!, id, context), changes, locs })))
}

/** Opens the project of an item. A malformed one is refused at its location: clients then send the rest again without that item. */
function openFor(loc: ItemChange['loc'], projectId: string, context: TracingContext): Promise<ProjectScope> {
  return context.open(projectId).catch((error: unknown) => {
    if (!isApiError(error) || error.code !== 'bad_request') throw error
    throw invalid([{ loc: [...loc, 'project_id'], msg: error.message, type: 'value_error' }])
  })
}
