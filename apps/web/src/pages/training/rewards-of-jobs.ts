import { useMemo } from 'react'
import { useMetricsOfJobs } from './metrics-of-jobs.ts'
import type { MadeStep } from './models-to-read.ts'

/** Mean reward of the trajectories that each job learned from, by the id of the job, as it is read. Without those that have none. */
export function useRewardsOfJobs(jobs: readonly MadeStep[]): ReadonlyMap<string, number> {
  const metrics = useMetricsOfJobs(jobs)
  return useMemo(
    () => new Map([...metrics].flatMap(([id, { reward }]) => (reward === undefined ? [] : [[id, reward] as const]))),
    [metrics],
  )
}
