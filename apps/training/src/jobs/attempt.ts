import type { JobContext, RunningJob } from '@heddle/jobs'
import type { BegunJob } from '../resources/training-jobs/training-jobs-store.ts'

/** One attempt at a training job. */
export interface Attempt {
  begun: BegunJob
  running: RunningJob
  context: JobContext
  /** For its files. */
  folder: string
}
