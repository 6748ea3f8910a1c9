import { useMemo } from 'react'
import { type Metrics, useMetricsByModel } from '../../features/training/metrics-by-model.ts'
import type { CheckpointJob } from '../../features/training/models-to-read.ts'

/** Metrics of the checkpoint that each job created, by the id of the job, as they are loaded. Jobs without known metrics are missing. */
export function useMetricsOfJobs(jobs: readonly CheckpointJob[]): ReadonlyMap<string, Metrics> {
  const byModel = useMetricsByModel(jobs)
  return useMemo(
    () =>
      new Map(
        jobs.flatMap(({ id, model_id, step }) => {
          const metrics = step === null ? undefined : byModel.get(model_id)?.get(step)
          return metrics === undefined ? [] : [[id, metrics] as const]
        }),
      ),
    [jobs, byModel],
  )
}
