import { type TrainingJobsDeps, trainingJobsHandlers } from './training-jobs-handlers.ts'

/** Requests to learn. */
export function createTrainingJobs(deps: TrainingJobsDeps) {
  return { handlers: trainingJobsHandlers(deps) }
}
