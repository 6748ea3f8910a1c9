import { training } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { automaticEpochs, resolveHyperparameters, toSftConfig } from './resolve-hyperparameters.ts'

const requestOf = (fields: object) => training.fineTuningJobs.create.body.parse({ model: 'm', training_file: 'f', ...fields })
const learningRates = { rl: 0.002, sft: 0.005 }

test.each([
  [1, 'supervised', 25],
  [10, 'supervised', 10],
  [33, 'supervised', 4],
  [34, 'supervised', 3],
  [8_333, 'supervised', 3],
  [10_000, 'supervised', 2],
  [100_000, 'supervised', 1],
  [10, 'dpo', 1],
] as const)('%d examples of a %s job are passed over %d times where the request leaves it open', (examples, method, epochs) => {
  expect(automaticEpochs(examples, method)).toBe(epochs)
})

test.each([
  ['none', {}, 'supervised', { n_epochs: 3, batch_size: 2, learning_rate_multiplier: 1, beta: 0.1 }],
  [
    'auto',
    {
      method: {
        type: 'supervised',
        supervised: { hyperparameters: { n_epochs: 'auto', batch_size: 'auto', learning_rate_multiplier: 'auto' } },
      },
    },
    'supervised',
    { n_epochs: 3, batch_size: 2, learning_rate_multiplier: 1, beta: 0.1 },
  ],
  [
    'those of the method before older ones',
    { method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 5 } } }, hyperparameters: { n_epochs: 7, batch_size: 9 } },
    'supervised',
    { n_epochs: 5, batch_size: 2, learning_rate_multiplier: 1, beta: 0.1 },
  ],
  [
    'older ones',
    { hyperparameters: { n_epochs: 7, batch_size: 9 } },
    'supervised',
    { n_epochs: 7, batch_size: 9, learning_rate_multiplier: 1, beta: 0.1 },
  ],
  [
    'those of preference pairs',
    { method: { type: 'dpo', dpo: { hyperparameters: { beta: 0.5, learning_rate_multiplier: 2 } } } },
    'dpo',
    { n_epochs: 1, batch_size: 2, learning_rate_multiplier: 2, beta: 0.5 },
  ],
] as const)('%s of a request', (_what, fields, method, expected) => {
  expect(resolveHyperparameters(requestOf(fields), method, 40)).toEqual(expected)
})

test.each([
  ['supervised', { learning_rate_multiplier: 0 }, 'method.supervised.hyperparameters.learning_rate_multiplier'],
  ['supervised', { learning_rate_multiplier: 1_001 }, 'method.supervised.hyperparameters.learning_rate_multiplier'],
  ['dpo', { beta: -1 }, 'method.dpo.hyperparameters.beta'],
] as const)('a hyperparameter of %s beyond its range is refused by its name: %o', (type, hyperparameters, param) => {
  const request = requestOf({ method: { type, [type]: { hyperparameters } } })
  expect(() => resolveHyperparameters(request, type, 40)).toThrow(expect.objectContaining({ status: 400, extra: { param } }) as Error)
})

test('a multiplier scales the rate that the base model gives such a job', () => {
  const given = { n_epochs: 2, batch_size: 4, learning_rate_multiplier: 3, beta: 0.2 }
  const supervised = toSftConfig(given, { method: 'supervised', seed: 7, learningRates })
  expect(supervised).toEqual({ batch_size: 4, epochs: 2, shuffle: true, seed: 7, learning_rate: expect.closeTo(0.015) as number })
  const dpo = toSftConfig(given, { method: 'dpo', seed: null, learningRates })
  expect(dpo).toMatchObject({ dpo: { beta: 0.2, label_smoothing: 0, reference: 'start' }, learning_rate: expect.closeTo(0.0006) as number })
  expect(toSftConfig({ ...given, learning_rate_multiplier: 1 }, { method: 'supervised', seed: null, learningRates })).toEqual({
    batch_size: 4,
    epochs: 2,
    shuffle: true,
  })
})
