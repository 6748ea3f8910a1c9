import type { RecordedStep } from './recorded-sequence.ts'

type Json = Record<string, unknown>

/** The field by which a list of ids was recorded. */
const idFields: Partial<Record<string, string>> = {
  evaluation_run_list: 'evaluation_run_id',
  prediction_list: 'prediction_id',
  score_list: 'score_id',
}
/** What the reference wrote for requests that are refused here: a prediction of an unknown run, scores of an unknown prediction and by an op. */
const refused = ['<predX>', '<scoreX>', '/op/x:']

/** A step of the section of runs in the form of the others. What was recorded of the whole project becomes the answer to a step of that name. */
export function runStepInOneForm(step: RecordedStep & Json): RecordedStep {
  for (const call of ['calls_in_project', 'feedback_in_project']) {
    const recorded = step[call] as Json[] | undefined
    if (recorded !== undefined)
      return { call, reference: recorded.filter(isWritten).map(call === 'calls_in_project' ? toCall : (row) => row) }
  }
  const idField = idFields[step.call ?? '']
  if (idField !== undefined && Array.isArray(step.reference))
    return {
      ...step,
      reference: step.reference.filter(isWritten).map((entry) => (typeof entry === 'string' ? { [idField]: entry } : entry)),
    }
  if (step.call === 'eval_results_query') return { ...step, reference: withAnyLatencies(step.reference) }
  return step.call === 'evaluation_run_read' ? { ...step, reference: withAnyLatency(step.reference as Json) } : step
}

function isWritten(recorded: unknown): boolean {
  const text = JSON.stringify(recorded)
  return !refused.some((mark) => text.includes(mark)) && !text.includes('"unknown-run"') && !text.includes('/call/nope')
}

/** A recorded call as ours: runs have an op reference and a user, and a finished prediction keeps its output. */
function toCall({ ended, summary, output, ...recorded }: Json): Json {
  const { weave_status } = summary as Json
  const isRun = recorded['op_name'] === 'Evaluation.evaluate'
  const isPrediction = String(recorded['op_name']).includes('.predict:')
  return {
    ...recorded,
    ...(isRun && { op_name: 'weave:///acme/demo/op/Evaluation.evaluate:<digest>', wb_user_id: 'u1' }),
    ended_at: ended === true ? '<time>' : null,
    summary: { weave: { status: weave_status } },
    ...(!isPrediction && { output }),
  }
}

function withAnyLatency(reference: Json): Json {
  const { weave, ...summary } = (reference['summary'] ?? {}) as Json
  const block = weave as Json | undefined
  if (block?.['latency_ms'] === undefined) return reference
  return { ...reference, summary: { ...summary, weave: { ...block, latency_ms: '<seconds>' } } }
}

function withAnyLatencies(results: unknown): unknown {
  return JSON.parse(JSON.stringify(results), (key, value: unknown) => (key === 'model_latency_seconds' ? '<seconds>' : value)) as unknown
}
