import { formatRef, type InputOf, type ObjectRef, parseRef, type tracing } from '@heddle/core-api'
import { FeedbackInput } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import type { EvaluationRequest } from '../../domain/evaluation-calls/evaluation-request.ts'
import { methodOp } from '../../domain/evaluation-calls/op-names.ts'
import { inputsOf, objectIn, outputOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import type { FeedbackWriter, NewFeedback } from '../../records/feedback/write/feedback-writer.ts'
import type { BeginFeedback } from '../../records/feedback/write/prepare-feedback.ts'

type Draft = Omit<InputOf<typeof tracing.scores.create>, 'entity' | 'project'>

/**
 * Records a score as feedback on its prediction and as a call. The call is written last, so an existing score has its feedback. Resolves to the id of
 * the call.
 * @throws ApiError 400 for a scorer that is not a reference to an object, 404 for an unknown prediction or run
 */
export type RecordScore = (request: EvaluationRequest, draft: Draft) => Promise<string>

export interface RecordScoreDeps {
  calls: EvaluationCalls
  feedbackWriter: FeedbackWriter
  beginFeedback: BeginFeedback
  clock: () => Micros
  newId: () => string
}

export function createRecordScore({ calls, feedbackWriter, beginFeedback, clock, newId }: RecordScoreDeps): RecordScore {
  async function prepareFeedback(
    { project, projects, userId }: EvaluationRequest,
    draft: Draft & { scorerName: string },
    prediction: CallColumns,
  ): Promise<NewFeedback> {
    const { entity, name } = project
    const feedback = FeedbackInput.parse({
      project_id: project.id,
      weave_ref: formatRef({ kind: 'call', entity, project: name, id: prediction.id, edges: [] }),
      feedback_type: `wandb.runnable.${draft.scorerName}`,
      payload: { output: draft.value },
      runnable_ref: draft.scorer,
    })
    const wb_user_id = userId || prediction.wb_user_id || 'unknown'
    return { project, draft: await beginFeedback().prepare(project, feedback, projects), wb_user_id }
  }

  return async (request, draft) => {
    const { project, userId } = request
    const { prediction_id, scorer, value, evaluation_run_id } = draft
    const scorerName = readScorer(scorer).name
    const prediction = await calls.read(project, prediction_id, 'Prediction')
    const run = evaluation_run_id === null ? undefined : await calls.read(project, evaluation_run_id, 'Evaluation run')
    const feedback = await prepareFeedback(request, { ...draft, scorerName }, prediction)
    const [op_name = ''] = await calls.opRefs(request, [methodOp(scorerName, 'score')])
    const id = newId()
    const score = await calls.newCalls.ended(
      {
        ...(run === undefined ? { trace_id: id, parent_id: null } : placeInRun(prediction, run)),
        id,
        op_name,
        at: clock(),
        userId,
        marks: { score: 'true', prediction_id, scorer, ...(evaluation_run_id !== null && { evaluation_run_id }) },
        inputs: { self: scorer, inputs: objectIn(inputsOf(prediction), 'inputs'), output: outputOf(prediction) },
      },
      value,
    )
    await feedbackWriter.create([feedback])
    await calls.writer.write([{ project, changes: [score] }])
    return id
  }
}

/** Next to the prediction if it is in a trial, even one of another run; else below the run. */
function placeInRun(prediction: CallColumns, run: CallColumns): { trace_id: string; parent_id: string } {
  if (prediction.parent_id === '') return { trace_id: run.trace_id, parent_id: run.id }
  return { trace_id: prediction.trace_id, parent_id: prediction.parent_id }
}

/** @throws ApiError 400 for any other text than a reference to an object */
function readScorer(scorer: string): ObjectRef {
  const ref = parseRef(scorer)
  if (ref?.kind === 'object') return ref
  const shown = JSON.stringify(scorer.length > 200 ? `${scorer.slice(0, 200)}…` : scorer)
  throw badRequest(`scorer ${shown} is not a reference to an object, such as weave:///entity/project/object/name:digest`)
}
