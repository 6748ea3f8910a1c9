import { expect, test } from 'vitest'
import { toGatherOptions, toTrainingConfig } from './to-gather-options.ts'

test('without settings, recorded trajectories are learned from in their groups, by their rewards', () => {
  expect(toGatherOptions({})).toMatchObject({
    filter: { recordedOnly: true, op: undefined, query: undefined },
    maxTraces: 1_000,
    groupBy: { by: 'recorded' },
    reward: { from: 'recorded' },
    keepFailed: false,
    withoutLogprobs: false,
  })
})

test('conditions of the calls table become a query, and rows of an evaluation are attempts', () => {
  const where = [{ path: 'parent_id', operator: '=' as const, value: 'run' }]
  expect(toGatherOptions({ where, group: 'row', reward: 'score:accuracy.correct', failed: 'keep', traces: 5 })).toMatchObject({
    filter: { recordedOnly: false, query: { $expr: { $eq: [{ $getField: 'parent_id' }, { $literal: 'run' }] } } },
    maxTraces: 5,
    groupBy: { by: 'row' },
    reward: { from: 'score', path: 'accuracy.correct' },
    keepFailed: true,
  })
})

test('the answers of a model are those of all of its checkpoints', () => {
  const { isPolicy } = toGatherOptions({ policy: 'acme/weather/agent' })
  expect(['acme/weather/agent', 'heddle-artifact:///acme/weather/agent:step4', 'acme/weather/other', undefined].map(isPolicy)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test.each([
  [{ group: 'mood' }, 'grouping must be recorded, row, prompt'],
  [{ reward: 'luck' }, 'reward must be recorded'],
  [{ reward: 'ruler' }, 'heddle train from-traces --reward ruler'],
])('%j is refused with what it may be', (settings, words) => {
  expect(() => toGatherOptions(settings)).toThrow(words)
})

test('the learning rate is a number between 0 and 1, and training without log-probabilities is said to the job', () => {
  expect(toTrainingConfig({ rate: '3e-4', logprobs: 'without' })).toEqual({ learning_rate: 0.0003, allow_training_without_logprobs: true })
  expect(toTrainingConfig({})).toEqual({})
  for (const rate of ['0', '1', 'fast', '-1']) expect(() => toTrainingConfig({ rate })).toThrow(`got "${rate}"`)
})
