import type { Database, Micros } from '@heddle/datastore'
import type { TrainingKind } from './training-job-row.ts'

/** A training job as it ended. */
export interface EndedJob {
  project_id: string
  training_job_id: string
  kind: TrainingKind
  model_id: string
  /** Name of the model. Null where the job ended since its model was deleted. */
  model: string | null
  status: 'succeeded' | 'failed' | 'cancelled'
  /** Why it did not succeed. */
  error: string | null
  /** Gradient steps that it made. */
  gradient_steps: number
  /** Step of the newest checkpoint of the model after it. Null where the model was deleted. */
  checkpoint_step: number | null
  /** Null where it never ran. */
  started_at: Micros | null
  ended_at: Micros
}

/**
 * Called once for each job, in the transaction that ends it, which is undone when this rejects. It uses the transaction alone, and is short. Where the
 * transaction is undone for another reason, it is called again with the next end.
 */
export type OnJobEnded = (transaction: Database, job: EndedJob) => Promise<void>
