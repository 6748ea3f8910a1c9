import { expect, test } from 'vitest'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import { type FineTuningState, toFineTuningJob } from './fine-tuning-job.ts'

const second = 1_000_000
const aState = (status: TrainingJobRow['status'], progress: Partial<FineTuningState['progress']>): FineTuningState => ({
  job: {
    id: '0190c2a6-0000-7000-8000-000000000000',
    project_id: 'acme/shop',
    model_id: 'm',
    kind: 'sft',
    config: null,
    status,
    queue_job_id: null,
    input: { digest: '', sizeBytes: 0 } as never,
    source: null,
    fine_tuning_request: null,
    parent_step: 0,
    trainable_tokens: null,
    reference_step: null,
    step: null,
    message: null,
    error: null,
    created_by: 'ada',
    created_at: 90 * second,
    started_at: 95 * second,
    ended_at: null,
  },
  request: {
    model: 'table',
    trained_model: 'acme/shop/orders',
    training_file: 'file-1',
    validation_file: null,
    method: 'supervised',
    hyperparameters: { n_epochs: 1, batch_size: 2, learning_rate_multiplier: 1, beta: 0.1 },
    metadata: null,
  },
  progress: { start: null, last: null, checkpoint: null, ...progress },
})
const start = { at: 100 * second, steps: 10 }
const last = { at: 130 * second, step: 3, metrics: {} }

test.each([
  ['by the pace of its steps', 'running', { start, last }, 200],
  ['not before its first step', 'running', { start }, null],
  ['not before it begins', 'running', {}, null],
  ['not once it was cancelled', 'cancelled', { start, last }, null],
] as const)('the end of a job is estimated %s', (_what, status, progress, expected) => {
  expect(toFineTuningJob(aState(status, progress)).estimated_finish).toBe(expected)
})

test('a job without a seed names the one that follows from its id, each time the same', () => {
  const { seed, organization_id } = toFineTuningJob(aState('queued', {}))
  expect(Number.isInteger(seed)).toBe(true)
  expect(toFineTuningJob(aState('running', {})).seed).toBe(seed)
  expect(organization_id).toBe('acme')
})
