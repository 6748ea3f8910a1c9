import type { Handlers, tracing } from '@heddle/core-api'
import type { Prediction } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import { presentCall } from '../../domain/evaluation-calls/evaluation-request.ts'
import { firstText, inputsOf, marksOf, objectIn, outputOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import { createFinishPrediction } from './finish-prediction.ts'
import { createRecordPrediction } from './record-prediction.ts'

export interface PredictionsDeps {
  calls: EvaluationCalls
  clock: () => Micros
  newId: () => string
}

const listed = new Set(['attributes', 'inputs', 'output'] as const)

/** Operations on predictions. */
export function predictionsHandlers(deps: PredictionsDeps): Handlers<(typeof tracing)['predictions'], TracingContext> {
  const { calls } = deps
  const recordPrediction = createRecordPrediction(deps)
  const finishPrediction = createFinishPrediction(deps)

  const toPrediction = async (project: ProjectScope, call: CallColumns): Promise<Prediction> => ({
    prediction_id: call.id,
    model: firstText(marksOf(call)['model']) ?? '',
    inputs: objectIn(inputsOf(call), 'inputs'),
    output: outputOf(call),
    evaluation_run_id: await calls.runIdOf(project, call),
    wb_user_id: call.wb_user_id || null,
  })

  return {
    async create({ entity, project, ...draft }, context) {
      const request = await calls.open({ entity, project }, context)
      return { prediction_id: await recordPrediction(request, draft) }
    },

    async list({ evaluation_run_id, limit, offset, ...place }, context) {
      const request = await calls.open(place, context)
      const where = { 'attributes.weave.prediction': 'true', 'attributes.weave.evaluation_run_id': evaluation_run_id }
      const found = await calls.list(request, { where, limit, offset }, listed)
      return (async function* () {
        for await (const call of found) yield await toPrediction(request.project, call)
      })()
    },

    async read({ prediction_id, ...place }, context) {
      const request = await calls.open(place, context)
      const call = await calls.read(request.project, prediction_id, 'Prediction')
      return toPrediction(request.project, await presentCall(request, call))
    },

    async finish({ prediction_id, ...place }, context) {
      const { project } = await calls.open(place, context)
      await finishPrediction(project, prediction_id)
      return { success: true }
    },

    async delete({ prediction_ids, ...place }, context) {
      const { project } = await calls.open(place, context)
      await calls.deleteCalls(project, prediction_ids)
      return { num_deleted: prediction_ids.length }
    },
  }
}
