import type { TrainingJob } from '@heddle/core-api/types'
import { useMemo } from 'react'
import { useMetricsByModel } from './metrics-by-model.ts'
import { rewardCurve, type RewardCurve } from './reward-curve.ts'

/** The course of each job's reward among those of its model, by the id of the job, as it is loaded. Unknown ones are missing. */
export function useRewardsOfJobs(jobs: readonly TrainingJob[]): ReadonlyMap<string, RewardCurve> {
  const byModel = useMetricsByModel(jobs)
  return useMemo(
    () =>
      new Map(
        jobs.flatMap(({ id, model_id, step }) => {
          const metrics = byModel.get(model_id)
          const curve = step === null || !metrics ? undefined : rewardCurve(metrics, step)
          return curve ? [[id, curve] as const] : []
        }),
      ),
    [jobs, byModel],
  )
}
