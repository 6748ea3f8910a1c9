import { type TrainingEventsDeps, trainingEventsHandlers } from './training-events-handlers.ts'

/** What happened to training jobs. */
export function createTrainingEvents(deps: TrainingEventsDeps) {
  return { handlers: trainingEventsHandlers(deps) }
}
