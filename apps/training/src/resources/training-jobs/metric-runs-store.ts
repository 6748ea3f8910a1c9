import type { Micros, WorkScope } from '@heddle/datastore'
import type { TrainingStatus } from './training-job-row.ts'

type Work = Pick<WorkScope, 'signal'>

/** A fine-tuning job with logging of its metrics, and the number of its gradient steps so far. */
export interface LoggedJob {
  id: string
  status: TrainingStatus
  /** Step of the model that the client expected it to make; null if unspecified. */
  targetStep: number | null
  createdAt: Micros
  endedAt: Micros | null
  steps: number
}

/** A gradient step of a job. */
export interface LoggedStep {
  /** From 1. */
  number: number
  metrics: Readonly<Record<string, unknown>>
  at: Micros
}

export interface MetricRunsStore {
  /** Ordered by creation, at most 1,000. */
  jobsOf(work: Work, modelId: string): Promise<LoggedJob[]>
  /** The steps with these numbers that the job has made, in their order. */
  stepsOf(work: Work, jobId: string, numbers: readonly number[]): Promise<LoggedStep[]>
}
