import type { TrainingEvent } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { curvesOf, sortByKind, stepsOf } from './step-metrics.ts'

const at = '2026-11-10T12:00:00.000Z'
const anEvent = (type: TrainingEvent['type'], data: Record<string, unknown>): TrainingEvent => ({
  id: 'event',
  type,
  data,
  created_at: at,
})

test('gradient steps are counted from 1, and values that are not numbers are left out', () => {
  const steps = stepsOf([
    anEvent('training_started', { num_sequences: 2 }),
    anEvent('gradient_step', { loss: 2, reward: 0.5, note: 'text', infinite: Infinity }),
    anEvent('gradient_step', { loss: 1 }),
    anEvent('training_ended', {}),
  ])
  expect(steps.map(({ step, values }) => [step, Object.fromEntries(values)])).toEqual([
    [1, { loss: 2, reward: 0.5 }],
    [2, { loss: 1 }],
  ])
  expect(curvesOf(steps)).toEqual([
    { name: 'reward', points: [{ step: 1, at, value: 0.5 }] },
    {
      name: 'loss',
      points: [
        { step: 1, at, value: 2 },
        { step: 2, at, value: 1 },
      ],
    },
  ])
})

test('metrics that say how well it goes come first, then losses, the optimizer and counts', () => {
  const names = ['own', 'num_tokens', 'grad_norm', 'loss/entropy', 'policy_loss', 'reward_std_dev', 'reward']
  expect(sortByKind(names)).toEqual(names.toReversed())
})
