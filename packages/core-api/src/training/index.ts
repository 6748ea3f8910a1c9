import { baseModels } from './base-models.ts'
import { chatCompletions } from './chat-completions.ts'
import { checkpoints } from './checkpoints.ts'
import { completions } from './completions.ts'
import { fineTuningJobs } from './fine-tuning-jobs.ts'
import { health } from './health.ts'
import { jobTrajectories } from './job-trajectories.ts'
import { messages } from './messages.ts'
import { trainedModels } from './models.ts'
import { recordedTrajectories } from './recorded-trajectories.ts'
import { responses } from './responses.ts'
import { servedModels } from './served-models.ts'
import { tinker } from './tinker/index.ts'
import { trainingData } from './training-data.ts'
import { trainingEvents } from './training-events.ts'
import { trainingFiles } from './training-files.ts'
import { trainingJobs } from './training-jobs.ts'
import { trajectories } from './trajectories.ts'

/** The contract of the training service, by resource. */
export const training = {
  baseModels,
  chatCompletions,
  checkpoints,
  completions,
  fineTuningJobs,
  health,
  jobTrajectories,
  messages,
  models: trainedModels,
  recordedTrajectories,
  responses,
  servedModels,
  tinker,
  trainingData,
  trainingEvents,
  trainingFiles,
  trainingJobs,
  trajectories,
}
