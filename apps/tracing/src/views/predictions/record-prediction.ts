import type { InputOf, tracing } from '@heddle/core-api'
import { invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import type { EvaluationRequest } from '../../domain/evaluation-calls/evaluation-request.ts'
import { methodOp, nameInRef, predictAndScoreOp } from '../../domain/evaluation-calls/op-names.ts'
import { evaluationIn, inputsOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import type { CallChange } from '../../records/calls/write/call-change.ts'

type Draft = Omit<InputOf<typeof tracing.predictions.create>, 'entity' | 'project'>

/**
 * Writes the call of a prediction, in a run together with the open call of its trial above it. Resolves to its id.
 * @throws ApiError 404 for an unknown run, 422 for one time without the other and for an end before the start
 */
export type RecordPrediction = (request: EvaluationRequest, draft: Draft) => Promise<string>

interface RecordPredictionDeps {
  calls: EvaluationCalls
  clock: () => Micros
  newId: () => string
}

export function createRecordPrediction({ calls, clock, newId }: RecordPredictionDeps): RecordPrediction {
  async function changesInRun(request: EvaluationRequest, draft: Draft, run: CallColumns): Promise<{ id: string; changes: CallChange[] }> {
    const { model, inputs, output, genai_span_ref } = draft
    const [trialOp = '', predictOp = ''] = await calls.opRefs(request, [predictAndScoreOp, predictOpOf(model)])
    const [trialId, id] = [newId(), newId()]
    const place = { trace_id: run.trace_id, ...timesOf(draft, clock), userId: request.userId }
    const trial = await calls.newCalls.started({
      ...place,
      id: trialId,
      parent_id: run.id,
      op_name: trialOp,
      marks: { predict_call_id: id, ...(genai_span_ref !== null && { genai_span_ref }) },
      inputs: { self: evaluationIn(inputsOf(run)), model, example: inputs },
    })
    const prediction = { ...place, id, parent_id: trialId, op_name: predictOp, marks: marksOfDraft(draft), inputs: inputsOfDraft(draft) }
    return { id, changes: [trial, await calls.newCalls.ended(prediction, output)] }
  }

  async function changesAlone(request: EvaluationRequest, draft: Draft): Promise<{ id: string; changes: CallChange[] }> {
    const [op_name = ''] = await calls.opRefs(request, [predictOpOf(draft.model)])
    const id = newId()
    const place = { id, trace_id: id, parent_id: null, op_name, ...timesOf(draft, clock), userId: request.userId }
    const alone = { ...place, marks: marksOfDraft(draft), inputs: inputsOfDraft(draft) }
    return { id, changes: [await calls.newCalls.ended(alone, draft.output)] }
  }

  return async (request, draft) => {
    const { project } = request
    const { id, changes } =
      draft.evaluation_run_id === null
        ? await changesAlone(request, draft)
        : await changesInRun(request, draft, await calls.read(project, draft.evaluation_run_id, 'Evaluation run'))
    await calls.writer.write([{ project, changes }])
    return id
  }
}

/** When the model started and ended, as the client measured it, or else the moment of the request. */
function timesOf({ started_at, ended_at }: Draft, clock: () => Micros): { at: Micros; endedAt: Micros } {
  const now = started_at === null && ended_at === null ? clock() : null
  const [at, endedAt] = [started_at ?? now, ended_at ?? now]
  if (at === null) throw refused('started_at', 'started_at must be given together with ended_at')
  if (endedAt === null) throw refused('ended_at', 'ended_at must be given together with started_at')
  if (endedAt < at) throw refused('ended_at', 'ended_at must not be before started_at')
  return { at, endedAt }
}

const refused = (field: string, msg: string) => invalid([{ loc: ['body', field], msg, type: 'value_error' }])

const predictOpOf = (model: string) => methodOp(nameInRef(model) ?? 'Model', 'predict')

const inputsOfDraft = ({ model, inputs }: Draft) => ({ self: model, inputs })

const marksOfDraft = ({ model, evaluation_run_id }: Draft) => ({
  prediction: 'true',
  model,
  ...(evaluation_run_id !== null && { evaluation_run_id }),
})
