import type { Micros, WorkScope } from '@heddle/datastore'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'

/** How far a job is. */
export interface JobProgress {
  /** When its gradient steps began, and how many there are without an early end. Null before. */
  start: { at: Micros; steps: number } | null
  /** Its newest gradient step, from 1. Null before the first. */
  last: { at: Micros; step: number; metrics: Readonly<Record<string, number>> } | null
  /** Null unless it succeeded, and once it is deleted. */
  checkpoint: { id: string; step: number; metrics: Readonly<Record<string, number>>; created_at: Micros } | null
}

export interface JobProgressStore {
  /** By id of the job; an entry for each of at most 1001 jobs. */
  find(work: Pick<WorkScope, 'signal'>, jobs: readonly Pick<TrainingJobRow, 'id' | 'model_id'>[]): Promise<ReadonlyMap<string, JobProgress>>
}
