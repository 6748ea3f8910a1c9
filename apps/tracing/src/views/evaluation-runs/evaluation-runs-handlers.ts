import type { Handlers, tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { TracingContext } from '../../context.ts'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import { presentCall } from '../../domain/evaluation-calls/evaluation-request.ts'
import { evaluateOp } from '@heddle/trace-model'
import { checkListLength } from '../../query/compile/check-list-length.ts'
import { createFinishRun } from './finish-run.ts'
import { runMarks, toListedRun, toRun } from './run-record.ts'

export interface EvaluationRunsDeps {
  calls: EvaluationCalls
  clock: () => Micros
  newId: () => string
}

const subject = 'Evaluation run'
const listed = new Set(['attributes', 'summary'] as const)

/** Operations on runs of evaluations. */
export function evaluationRunsHandlers(deps: EvaluationRunsDeps): Handlers<(typeof tracing)['evaluationRuns'], TracingContext> {
  const { calls, clock, newId } = deps
  const finishRun = createFinishRun(deps)
  return {
    async create({ evaluation, model, source_evaluation_run_id, ...place }, context) {
      const request = await calls.open(place, context)
      const [op_name = ''] = await calls.opRefs(request, [evaluateOp])
      const id = newId()
      const marks = runMarks({ evaluation, model, source_evaluation_run_id })
      const inputs = { self: evaluation, model }
      const run = { id, trace_id: id, parent_id: null, op_name, at: clock(), userId: request.userId, marks, inputs }
      await calls.writer.write([{ project: request.project, changes: [await calls.newCalls.started(run)] }])
      return { evaluation_run_id: id }
    },

    async list({ evaluations, models, evaluation_run_ids, limit, offset, ...place }, context) {
      const request = await calls.open(place, context)
      for (const [name, list] of Object.entries({ evaluations, models, evaluation_run_ids })) checkListLength(name, list?.length ?? 0)
      const where = {
        'attributes.weave.evaluation_run': 'true',
        'attributes.weave.evaluation': evaluations,
        'attributes.weave.model': models,
        id: evaluation_run_ids,
      }
      const found = await calls.list(request, { where, limit, offset }, listed)
      return (async function* () {
        for await (const call of found) yield toListedRun(call)
      })()
    },

    async read({ evaluation_run_id, ...place }, context) {
      const request = await calls.open(place, context)
      return toRun(await presentCall(request, await calls.read(request.project, evaluation_run_id, subject)))
    },

    async finish({ evaluation_run_id, summary, ...place }, context) {
      const request = await calls.open(place, context)
      await finishRun(request, evaluation_run_id, summary ?? {})
      return { success: true }
    },

    async delete({ evaluation_run_ids, ...place }, context) {
      const { project } = await calls.open(place, context)
      await calls.deleteCalls(project, evaluation_run_ids)
      return { num_deleted: evaluation_run_ids.length }
    },
  }
}
