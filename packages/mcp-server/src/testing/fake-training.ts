import type { Checkpoint, TrainingEvent, TrainingJob } from '@heddle/core-api/types'
import { type FakeAnswer, fakeServices } from './fake-services.ts'

export const modelId = '018f4a3e-0000-7000-8000-00000000aaaa'
export const jobId = '018f4a3e-0000-7000-8000-00000000bbbb'

/** State of a training service with one model and one job. */
export interface FakeTraining {
  job: TrainingJob
  events: TrainingEvent[]
  checkpoints: Checkpoint[]
  deletedSteps: number[]
  /** Calls of the tracing service. */
  calls: object[]
}

export function aTraining(fields: Partial<FakeTraining> = {}): FakeTraining {
  const job: TrainingJob = {
    id: jobId,
    status: 'running',
    training_start: '2026-11-16T10:00:00Z',
    training_end: null,
    error_message: null,
    model_id: modelId,
    kind: 'rl',
    created_at: '2026-11-16T09:59:00Z',
    created_by: 'ada',
    parent_step: 2,
    step: null,
    trainable_tokens: null,
    message: null,
    config: {},
  }
  const checkpoints = [0, 1, 2].map((step) => aCheckpoint({ step }))
  return { job, events: [], checkpoints, deletedSteps: [], calls: [], ...fields }
}

export const aCheckpoint = (fields: Partial<Checkpoint> & { step: number }): Checkpoint => ({
  id: `checkpoint-${fields.step}`,
  metrics: {},
  size_bytes: 1_000,
  kept_at: null,
  kept_by: null,
  ...fields,
})

/** A gradient step, and how a job begins. */
export const aStep = (at: number, data: Record<string, number>): TrainingEvent => ({
  id: `event-${at}`,
  type: 'gradient_step',
  data,
  created_at: `2026-11-16T10:00:${String(at % 60).padStart(2, '0')}Z`,
})
export const aStart = (num_sequences: number): TrainingEvent => ({
  id: 'event-0',
  type: 'training_started',
  data: { num_sequences },
  created_at: '2026-11-16T10:00:00Z',
})

function pageOf<T extends { id: string }>(all: readonly T[], { after, limit = '20' }: Record<string, string>) {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const data = all.slice(from, from + Number(limit))
  return { object: 'list', data, first_id: data[0]?.id ?? '', last_id: data.at(-1)?.id ?? '', has_more: from + data.length < all.length }
}

/** The operations that training tools call, over the state. */
export function fakeTraining(state: FakeTraining, further: Record<string, FakeAnswer> = {}) {
  const missing = () => Response.json({ detail: 'not found' }, { status: 404 })
  return fakeServices({
    'models.read': ({ params }) =>
      params['model_id'] === modelId ? { id: modelId, entity: 'e', project: 'p', name: 'agent', base_model: 'b', run_id: null } : missing(),
    'models.list': ({ query }) => pageOf([{ id: modelId, entity: 'e', project: 'p', name: 'agent', base_model: 'b', run_id: null }], query),
    'models.delete': () => ({ model_id: modelId, deleted_checkpoints: state.checkpoints.length, deleted_run: false }),
    'checkpoints.list': ({ query }) => pageOf(query['order'] === 'desc' ? state.checkpoints.toReversed() : state.checkpoints, query),
    'checkpoints.delete': ({ body }) => {
      const steps = body['steps'] as number[]
      state.deletedSteps.push(...steps)
      state.checkpoints = state.checkpoints.filter(({ step }) => !steps.includes(step))
      return { deleted_count: steps.length, not_found_steps: [] }
    },
    'trajectories.list': ({ query }) => pageOf([], query),
    'trainingJobs.read': ({ params }) => (params['job_id'] === jobId ? state.job : missing()),
    'trainingJobs.list': ({ query }) => pageOf([state.job], query),
    'trainingJobs.create': () => ({ id: jobId }),
    'trainingJobs.cancel': () => (state.job = { ...state.job, status: 'cancelled' }),
    'trainingEvents.list': ({ query }) => pageOf(state.events, query),
    'calls.streamQuery': () => state.calls,
    ...further,
  })
}
