import { toFeedbackId } from '../foreign-ids.ts'
import type { ForeignRun, ForeignRunItem, Json, JsonObject } from '../foreign-item.ts'
import type { ItemCall } from './find-item-calls.ts'

/** A run with the references that its calls have. */
export interface RunPlace {
  project: string
  run: Pick<ForeignRun, 'id' | 'name'>
  evaluation: string
  model: string
  /** Name of the object of the model. */
  modelName: string
}

const recordOf = (fields: JsonObject): JsonObject => ({ parent_id: null, attributes: {}, summary: {}, exception: null, ...fields })

/** The call of a run, over the time of its trials, as runs are found by it. */
export function runCall({ run, evaluation, model }: RunPlace, times: { started_at: string; ended_at: string }): JsonObject {
  return recordOf({
    id: run.id,
    trace_id: run.id,
    op_name: 'Evaluation.evaluate',
    display_name: run.name,
    attributes: { weave: { evaluation_run: 'true', evaluation, model } },
    inputs: { self: evaluation, model },
    output: null,
    ...times,
  })
}

/** The calls of one trial: predict and score, and below it the prediction, with a link to the call that made the output. */
export function trialCalls(
  place: RunPlace,
  { item, call, example }: { item: ForeignRunItem; call: ItemCall; example: Json },
): JsonObject[] {
  const { run, evaluation, model, modelName } = place
  const predict = toFeedbackId('predict', item.id)
  const { started_at, exception } = call
  const ended_at = call.ended_at ?? started_at
  const output = call.output ?? null
  const shared = { trace_id: run.id, started_at, ended_at, exception }
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1_000
  return [
    recordOf({
      ...shared,
      id: item.id,
      parent_id: run.id,
      op_name: 'Evaluation.predict_and_score',
      attributes: { weave: { predict_call_id: predict, genai_span_ref: [{ trace_id: call.trace_id, span_id: call.id }] } },
      inputs: { self: evaluation, model, example },
      output: { output, scores: call.scores, model_latency: seconds },
    }),
    recordOf({
      ...shared,
      id: predict,
      parent_id: item.id,
      op_name: `${modelName}.predict`,
      attributes: { weave: { prediction: 'true', model, evaluation_run_id: run.id } },
      inputs: { self: model, inputs: example },
      output,
    }),
  ]
}
