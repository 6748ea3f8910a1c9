import type { Platform } from '../../platform.ts'
import { type FineTuningJobsDeps, fineTuningJobsHandlers } from './fine-tuning-jobs-handlers.ts'
import { sqlJobProgressStore } from './job-progress-store.sql.ts'
import { createStartFineTuning, type StartFineTuningDeps } from './start-fine-tuning.ts'

type Options = Omit<FineTuningJobsDeps, 'progress' | 'start'> & Omit<StartFineTuningDeps, 'clock' | 'newId'>

/** Fine-tuning jobs in the form of OpenAI's API. */
export function createFineTuningJobs({ database, clock, newId }: Platform, options: Options) {
  const start = createStartFineTuning({ ...options, clock, newId })
  return { handlers: fineTuningJobsHandlers({ ...options, progress: sqlJobProgressStore(database), start }) }
}
