import { formatTimestamp } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectEvent } from '../../events/event-outbox.ts'
import { cutText } from './webhook-limits.ts'

/** An ended training job, as reported by the training service. */
export interface EndedTraining {
  project_id: string
  training_job_id: string
  kind: 'rl' | 'sft'
  model_id: string
  model: string | null
  status: 'succeeded' | 'failed' | 'cancelled'
  error: string | null
  gradient_steps: number
  checkpoint_step: number | null
  started_at: Micros | null
  ended_at: Micros
}

/** What webhooks are sent of a training job that has ended, with long texts cut. */
export function trainingEvent({ model, error, started_at, ended_at, ...job }: EndedTraining): ProjectEvent {
  const data = {
    ...job,
    model: model === null ? null : cutText(model),
    error_message: error === null ? null : cutText(error),
    started_at: started_at === null ? null : formatTimestamp(started_at),
    finished_at: formatTimestamp(ended_at),
  }
  return { projectId: job.project_id, type: 'training.finished', subject: job.training_job_id, data }
}
