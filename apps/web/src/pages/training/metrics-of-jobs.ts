import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type MadeStep, modelsToRead } from './models-to-read.ts'
import { checkpointMetricsQuery } from './training-queries.ts'

/** Metrics by their names. */
export type Metrics = Readonly<Record<string, number>>

type ReadMetrics = UseQueryResult<ReadonlyMap<number, Metrics>>
const combine = (queries: ReadMetrics[]) => queries.map(({ data }) => data)

/** Metrics of the checkpoint that each job made, by the id of the job, as they are read: one request for each model. Without those that are not known. */
export function useMetricsOfJobs(jobs: readonly MadeStep[]): ReadonlyMap<string, Metrics> {
  const models = useMemo(() => modelsToRead(jobs), [jobs])
  const read = useQueries({ queries: models.map(([model, step]) => checkpointMetricsQuery(model, step)), combine })
  return useMemo(() => {
    const metricsOf = new Map(models.map(([model], at) => [model, read[at]]))
    return new Map(
      jobs.flatMap(({ id, model_id, step }) => {
        const metrics = step === null ? undefined : metricsOf.get(model_id)?.get(step)
        return metrics === undefined ? [] : [[id, metrics] as const]
      }),
    )
  }, [jobs, models, read])
}
