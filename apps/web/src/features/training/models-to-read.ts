import type { TrainingJob } from '@heddle/core-api/types'

/** Models whose checkpoints are read for a list of jobs. */
const maxModelsRead = 20

/** A job with the checkpoint that it made. */
export type CheckpointJob = Pick<TrainingJob, 'id' | 'model_id' | 'step'>

/** The models of jobs that made a checkpoint, each with the newest step among them; the first of the list are read. */
export function modelsToRead(jobs: readonly CheckpointJob[]): [model: string, newestStep: number][] {
  const newest = new Map<string, number>()
  for (const { model_id, step } of jobs) if (step !== null) newest.set(model_id, Math.max(step, newest.get(model_id) ?? 0))
  return [...newest].slice(0, maxModelsRead)
}

/**
 * Number of jobs whose checkpoint is not loaded: of further models, or older than the newest `perModel` of its model. Jobs are ordered newest first.
 */
export function unreadJobs(jobs: readonly CheckpointJob[], perModel: number): number {
  const counts = new Map(modelsToRead(jobs).map(([model]) => [model, 0]))
  return jobs.filter(({ model_id, step }) => {
    if (step === null) return false
    const count = counts.get(model_id)
    if (count !== undefined) counts.set(model_id, count + 1)
    return count === undefined || count >= perModel
  }).length
}
