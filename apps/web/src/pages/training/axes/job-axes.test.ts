import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { toJobAxes } from './job-axes.ts'

const aJob = (id: string, fields: Partial<TrainingJob>): TrainingJob => ({
  id,
  status: 'succeeded',
  training_start: '2026-01-02T03:04:05Z',
  training_end: '2026-01-02T03:04:15Z',
  error_message: null,
  model_id: 'm1',
  kind: 'rl',
  created_at: '2026-01-02T03:04:05Z',
  created_by: 'ada',
  parent_step: 0,
  trainable_tokens: null,
  step: 1,
  message: null,
  config: {},
  ...fields,
})
const models = [{ id: 'm1', name: 'agent', base_model: 'small' }] as TrainedModel[]

test('jobs have their settings, what is known of them and the metrics of their checkpoints as axes', () => {
  const jobs = [
    aJob('0000-first', { config: { learning_rate: 1e-5, ppo: true } }),
    aJob('0000-other', { config: { learning_rate: 1e-4 }, model_id: 'gone', training_end: null, status: 'running', parent_step: null }),
  ]
  const { rows, offers, usual } = toJobAxes(jobs, models, new Map([['0000-first', { reward: 0.5, 'loss/entropy': 2 }]]))
  expect(offers.map(({ id }) => id)).toEqual([
    'config.learning_rate',
    'config.ppo',
    'base_model',
    'model',
    'kind',
    'status',
    'parent_step',
    'duration',
    'metric.reward',
    'metric.loss/entropy',
  ])
  expect(Object.fromEntries(rows[0]?.values ?? [])).toEqual({
    'config.learning_rate': 1e-5,
    'config.ppo': 'true',
    base_model: 'small',
    model: 'agent',
    kind: 'rl',
    status: 'succeeded',
    parent_step: 0,
    duration: 10,
    'metric.reward': 0.5,
    'metric.loss/entropy': 2,
  })
  expect(Object.fromEntries(rows[1]?.values ?? [])).toEqual({ 'config.learning_rate': 1e-4, kind: 'rl', status: 'running' })
  expect(usual).toEqual(['config.learning_rate', 'duration', 'metric.reward'])
})

test('where no setting differs the model comes first, and the reward comes last', () => {
  const jobs = [aJob('one', { config: { seed: 1 } }), aJob('two', { config: { seed: 1 } })]
  const { usual } = toJobAxes(jobs, models, new Map([['one', { reward: 1, policy_loss: 2, num_trajectories: 8, other: 3 }]]))
  expect(usual).toEqual(['model', 'duration', 'metric.num_trajectories', 'metric.policy_loss', 'metric.reward'])
})
