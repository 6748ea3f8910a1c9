import type { EvaluationRun } from '@heddle/core-api'
import type { CallColumns } from '../calls/calls-store.ts'
import { toRun } from '../evaluation-runs/run-record.ts'
import { cutText } from './cut-text.ts'

type FinishedRun = Omit<EvaluationRun, 'summary' | 'source_evaluation_run_id'> & { project_id: string }

/** What webhooks are sent of an evaluation run whose call has ended, with long references cut. */
export function evaluationData(call: CallColumns & { project_id: string }): FinishedRun {
  const { evaluation_run_id, evaluation, model, status, started_at, finished_at } = toRun(call)
  return {
    project_id: call.project_id,
    evaluation_run_id,
    evaluation: cutText(evaluation),
    model: cutText(model),
    status,
    started_at,
    finished_at,
  }
}
