import type { EvalTrial } from '@heddle/core-api/types'

/** Seconds that the model took. Undefined where it was not measured: trials that were recorded after they ended have a latency of 0. */
export function trialLatency(trial: Pick<EvalTrial, 'model_latency_seconds'> | undefined): number | undefined {
  const seconds = Number(trial?.model_latency_seconds ?? 0)
  return seconds > 0 ? seconds : undefined
}
