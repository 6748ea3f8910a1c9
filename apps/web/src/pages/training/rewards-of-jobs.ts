import { useQueries } from '@tanstack/react-query'
import { type MadeStep, modelsToRead } from './models-to-read.ts'
import { checkpointMetricsQuery } from './training-queries.ts'

/** Mean reward of the trajectories that each job learned from, by the id of the job, as it is read. Without those that have none. */
export function useRewardsOfJobs(jobs: readonly MadeStep[]): ReadonlyMap<string, number> {
  const models = modelsToRead(jobs)
  return useQueries({
    queries: models.map(([model, step]) => checkpointMetricsQuery(model, step)),
    combine(queries) {
      const metricsOf = new Map(queries.map(({ data }, at) => [models[at]?.[0], data]))
      return new Map(
        jobs.flatMap(({ id, model_id, step }) => {
          const reward = step === null ? undefined : metricsOf.get(model_id)?.get(step)?.['reward']
          return reward === undefined ? [] : [[id, reward] as const]
        }),
      )
    },
  })
}
