import type { FineTuningCheckpoint, FineTuningEvent, FineTuningJob } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import { seedOf } from '../../training/seed-of.ts'
import type { StoredFineTuning } from '../training-jobs/stored-fine-tuning.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import type { EventRow } from '../training-jobs/training-jobs-store.ts'
import type { JobProgress } from './job-progress-store.ts'

const jobPrefix = 'ftjob-'
const eventPrefix = 'ftevent-'
const checkpointPrefix = 'ftckpt-'

/** The id of the training job that an id of a fine-tuning job names. */
export const toTrainingJobId = (id: string) => (id.startsWith(jobPrefix) ? id.slice(jobPrefix.length) : id)
/** The id of the event of a training job that an id of a fine-tuning event names. */
export const toTrainingEventId = (id: string) => (id.startsWith(eventPrefix) ? id.slice(eventPrefix.length) : id)

/** A job that a client of OpenAI created, with how far it is. */
export interface FineTuningState {
  job: TrainingJobRow
  request: StoredFineTuning
  progress: JobProgress
}

/** Converts a job to its OpenAI representation. */
export function toFineTuningJob({ job, request, progress }: FineTuningState): FineTuningJob {
  const { beta, ...hyperparameters } = request.hyperparameters
  const isDone = job.status === 'succeeded'
  return {
    id: jobPrefix + job.id,
    object: 'fine_tuning.job',
    created_at: toSeconds(job.created_at),
    finished_at: job.ended_at === null ? null : toSeconds(job.ended_at),
    estimated_finish: job.status === 'running' ? estimateFinish(progress) : null,
    status: job.status,
    model: request.model,
    fine_tuned_model: isDone ? modelOf(request, job) : null,
    organization_id: job.project_id.slice(0, job.project_id.indexOf('/')),
    training_file: request.training_file,
    validation_file: request.validation_file,
    result_files: [],
    method:
      request.method === 'dpo'
        ? { type: 'dpo', dpo: { hyperparameters: { ...hyperparameters, beta } } }
        : { type: 'supervised', supervised: { hyperparameters } },
    hyperparameters,
    seed: (job.kind === 'sft' ? job.config?.seed : null) ?? seedOf(job.id),
    trained_tokens: isDone ? countTokens(progress) : null,
    error: job.status === 'failed' ? { code: 'training_failed', message: job.error ?? '', param: null } : null,
    metadata: request.metadata,
    integrations: [],
  }
}

const toSeconds = (at: Micros) => Math.floor(at / 1e6)

const modelOf = ({ trained_model }: StoredFineTuning, { step }: TrainingJobRow) => `${trained_model}:step${step}`

/** When the rest of the steps has been made, as fast as those so far. Null before the first. */
function estimateFinish({ start, last }: JobProgress): number | null {
  if (start === null || last === null) return null
  return toSeconds(last.at + ((last.at - start.at) / last.step) * (start.steps - last.step))
}

/** Metrics of a checkpoint are means over the gradient steps. */
function countTokens({ checkpoint, last }: JobProgress): number | null {
  const mean = checkpoint?.metrics['num_tokens']
  return mean === undefined || last === null ? null : Math.round(mean * last.step)
}

/** An event as it travels. */
export function toFineTuningEvent(event: EventRow, { job, request, progress }: FineTuningState): FineTuningEvent {
  const isCancelled = job.status === 'cancelled'
  const of = (level: FineTuningEvent['level'], message: string, data: Record<string, unknown> = {}): FineTuningEvent => ({
    id: eventPrefix + event.id,
    object: 'fine_tuning.job.event',
    created_at: toSeconds(event.created_at),
    level,
    message,
    type: event.type === 'gradient_step' ? 'metrics' : 'message',
    data,
  })
  const { data } = event
  switch (event.type) {
    case 'training_started': {
      const notes = (data['notes'] as string[] | undefined) ?? []
      return of(notes.length > 0 ? 'warn' : 'info', [`Fine-tuning began: ${data['num_sequences'] as number} steps`, ...notes].join('; '))
    }
    case 'gradient_step': {
      const total = progress.start?.steps ?? event.seq
      const metrics = { step: event.seq, total_steps: total, ...lossesOf(data) }
      return of('info', [`Step ${event.seq}/${total}: training loss=${shown(data['loss'])}`, ...validationOf(data)].join(', '), metrics)
    }
    case 'training_ended':
      return of('info', `New fine-tuned model: ${modelOf(request, job)}`)
    case 'training_failed':
      return of(isCancelled ? 'warn' : 'error', String(data['error_message'] ?? 'the job failed'))
  }
}

const shown = (value: unknown) => (typeof value === 'number' ? value.toFixed(4) : 'unknown')

const validationOf = ({ held_out_loss: loss }: Readonly<Record<string, unknown>>) =>
  typeof loss === 'number' ? [`full validation loss=${shown(loss)}`] : []

/** Losses of a gradient step, by the names that clients of OpenAI know. The loss of the validation file is always that of the whole. */
function lossesOf({ loss, held_out_loss: heldOut }: Readonly<Record<string, unknown>>): Omit<FineTuningCheckpoint['metrics'], 'step'> {
  return {
    ...(typeof loss === 'number' && { train_loss: loss }),
    ...(typeof heldOut === 'number' && { valid_loss: heldOut, full_valid_loss: heldOut }),
  }
}

/** The checkpoint of a job as it travels; undefined for one that has none. */
export function toFineTuningCheckpoint({ job, request, progress }: FineTuningState): FineTuningCheckpoint | undefined {
  const { checkpoint, last } = progress
  if (checkpoint === null || last === null) return undefined
  return {
    id: checkpointPrefix + checkpoint.id,
    object: 'fine_tuning.job.checkpoint',
    created_at: toSeconds(checkpoint.created_at),
    fine_tuning_job_id: jobPrefix + job.id,
    fine_tuned_model_checkpoint: modelOf(request, job),
    step_number: last.step,
    metrics: { step: last.step, ...lossesOf(last.metrics) },
  }
}
