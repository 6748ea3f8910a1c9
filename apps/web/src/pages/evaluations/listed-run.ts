import { type EvaluationRun, toEvaluationRun } from '@heddle/evaluations'
import { latencyOfRun, type ListedCall } from '../../features/evaluations/run-latency.ts'

/** A run as the list of runs shows it. */
export interface ListedRun extends EvaluationRun {
  /** Reference to the evaluation; null where the run names none. */
  evaluation: string | null
  /** Reference to the model, or the model itself where it was not published; undefined where the run names none. */
  givenModel: unknown
  /** Mean latency of the model per row, in seconds, as reported by the run when it ends; null if it is not. */
  latency_seconds: number | null
}

/** Reads a call of a client or of the server, whose inputs and output may have any shape. */
export function toListedRun(call: ListedCall): ListedRun {
  const evaluation = call.inputs['self'] ?? call.inputs['this']
  return {
    ...toEvaluationRun(call),
    givenModel: call.inputs['model'],
    evaluation: typeof evaluation === 'string' && evaluation !== '' ? evaluation : null,
    latency_seconds: latencyOfRun(call),
  }
}
