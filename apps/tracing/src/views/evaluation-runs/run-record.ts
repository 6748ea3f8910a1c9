import { formatTimestamp, type JsonObject } from '@heddle/core-api'
import type { EvaluationRun } from '@heddle/core-api/types'
import { parseJson } from '@heddle/json'
import { evaluationIn, firstText, inputsOf, marksOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import { derivedSummary } from '../../records/calls/row/derived-summary.ts'

/** The marks by which the call of a run is found. */
export function runMarks(run: { evaluation: string; model: string; source_evaluation_run_id: string | null }): JsonObject {
  const { evaluation, model, source_evaluation_run_id } = run
  return { evaluation_run: 'true', evaluation, model, ...(source_evaluation_run_id !== null && { source_evaluation_run_id }) }
}

/** A call that was created as a run. */
export function toListedRun(call: CallColumns): EvaluationRun {
  const marks = marksOf(call)
  return {
    evaluation_run_id: call.id,
    evaluation: firstText(marks['evaluation']) ?? '',
    model: firstText(marks['model']) ?? '',
    status: statusOf(call),
    started_at: formatTimestamp(call.started_at),
    finished_at: call.ended_at === null ? null : formatTimestamp(call.ended_at),
    summary: parseJson(derivedSummary({ ...call, summary: call.summary ?? '{}' }), { loneSurrogates: 'keep' }) as JsonObject,
    source_evaluation_run_id: firstText(marks['source_evaluation_run_id']),
  }
}

/** Any call as a run: one that an SDK recorded names its evaluation and model in its inputs. */
export function toRun(call: CallColumns): EvaluationRun {
  const run = toListedRun(call)
  const inputs = inputsOf(call)
  return {
    ...run,
    evaluation: run.evaluation || (evaluationIn(inputs) ?? ''),
    model: run.model || (firstText(inputs['model']) ?? ''),
  }
}

function statusOf({ ended_at, exception }: CallColumns): EvaluationRun['status'] {
  if (ended_at === null) return 'running'
  return exception === null || exception === '' ? 'completed' : 'failed'
}
