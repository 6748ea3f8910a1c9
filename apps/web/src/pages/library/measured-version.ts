import type { EvalSummary } from '@heddle/core-api/types'
import type { CheckpointRun } from '../../features/checkpoint-scores/checkpoint-runs.ts'

/** What an evaluation run found of a version of a prompt besides its scores; undefined where it is not known. */
export interface MeasuredVersion {
  /** Mean time of the model per row. */
  latencyMs: number | undefined
  /** In dollars. */
  costPerTrial: number | undefined
}

export function measuredVersion(
  { latency_seconds }: Pick<CheckpointRun, 'latency_seconds'>,
  summary: Pick<EvalSummary, 'trial_count' | 'predict_total_cost'> | undefined,
): MeasuredVersion {
  const cost = summary && summary.trial_count > 0 ? summary.predict_total_cost : null
  return {
    latencyMs: latency_seconds === null ? undefined : latency_seconds * 1_000,
    costPerTrial: cost === null || !summary ? undefined : cost / summary.trial_count,
  }
}
