import { formatTimestamp } from '@heddle/core-api'
import type { TrainingConfig, TrainingJob } from '@heddle/core-api/types'
import type { SftConfig } from '@heddle/core-api/internal'
import type { BlobStat, Micros } from '@heddle/datastore'
import type { StoredFineTuning } from './stored-fine-tuning.ts'
import { shownConfig } from './shown-config.ts'

export type TrainingKind = 'rl' | 'sft'
export type TrainingStatus = TrainingJob['status']

interface JobOf<Kind extends TrainingKind, Config> {
  kind: Kind
  config: Config
}

/** A training job as it is stored. */
export type TrainingJobRow = (JobOf<'rl', TrainingConfig | null> | JobOf<'sft', SftConfig | null>) & {
  id: string
  project_id: string
  model_id: string
  status: TrainingStatus
  /** Its job in the queue. Null until it is there. */
  queue_job_id: string | null
  /** Its input: the body of the request, or lines of conversations. */
  input: BlobStat
  /** Address of its training data, where a second job may not have the same. */
  source: string | null
  /** Null for a job that was not created by a client of OpenAI. */
  fine_tuning_request: StoredFineTuning | null
  parent_step: number | null
  reference_step: number | null
  step: number | null
  trainable_tokens: number | null
  message: string | null
  error: string | null
  created_by: string
  created_at: Micros
  started_at: Micros | null
  ended_at: Micros | null
}

/** A training job as it travels. */
export function toJob(row: TrainingJobRow): TrainingJob {
  const { id, status, model_id, kind, created_by, parent_step, step, trainable_tokens, message, error } = row
  return {
    id,
    status,
    training_start: row.started_at === null ? null : formatTimestamp(row.started_at),
    training_end: row.ended_at === null ? null : formatTimestamp(row.ended_at),
    error_message: error,
    model_id,
    kind,
    created_at: formatTimestamp(row.created_at),
    created_by,
    parent_step,
    step,
    trainable_tokens,
    message,
    config: shownConfig(row.config),
  }
}
