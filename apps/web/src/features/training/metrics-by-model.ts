import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type CheckpointJob, modelsToRead } from './models-to-read.ts'
import { checkpointMetricsQuery } from './training-queries.ts'

/** Metrics by their names. */
export type Metrics = Readonly<Record<string, number>>

type ReadMetrics = UseQueryResult<ReadonlyMap<number, Metrics>>
const combine = (queries: ReadMetrics[]) => queries.map(({ data }) => data)

/** Metrics of the checkpoints that jobs made, by model and step: one request for each model. Undefined for a model that is not read yet. */
export function useMetricsByModel(jobs: readonly CheckpointJob[]): ReadonlyMap<string, ReadonlyMap<number, Metrics> | undefined> {
  const models = useMemo(() => modelsToRead(jobs), [jobs])
  const read = useQueries({ queries: models.map(([model, step]) => checkpointMetricsQuery(model, step)), combine })
  return useMemo(() => new Map(models.map(([model], at) => [model, read[at]])), [models, read])
}
