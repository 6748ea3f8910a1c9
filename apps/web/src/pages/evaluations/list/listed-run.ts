import { type EvaluationRun, type RunCall, toEvaluationRun } from '@heddle/evaluations'

/** A run as the list of runs shows it. */
export interface ListedRun extends EvaluationRun {
  /** Reference to the evaluation; null where the run names none. */
  evaluation: string | null
  /** Reference to the model, or the model itself where it was not published; undefined where the run names none. */
  givenModel: unknown
  /** Mean latency of the model per row, in seconds, as reported by the run when it ends; null if it is not. */
  latency_seconds: number | null
}

/** The call of a run with its output. */
export type ListedCall = RunCall & { output?: unknown }

/** Reads a call of a client or of the server, whose inputs and output may have any shape. */
export function toListedRun(call: ListedCall): ListedRun {
  const evaluation = call.inputs['self'] ?? call.inputs['this']
  return {
    ...toEvaluationRun(call),
    givenModel: call.inputs['model'],
    evaluation: typeof evaluation === 'string' && evaluation !== '' ? evaluation : null,
    latency_seconds: latencyIn(call.output),
  }
}

/** Clients write an object with the mean, or the number alone. */
function latencyIn(output: unknown): number | null {
  const { model_latency: latency } = Object(output) as Record<string, unknown>
  const mean = typeof latency === 'number' ? latency : (Object(latency) as Record<string, unknown>)['mean']
  return typeof mean === 'number' && Number.isFinite(mean) ? mean : null
}
