import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertFiniteNumbers } from './finite-numbers.ts'

test.each<[unknown, string]>([
  [{ reward: Number.NaN }, 'reward is NaN'],
  [{ config: { learning_rate: Number('1e-3x') } }, 'config.learning_rate is NaN'],
  [{ groups: [{ trajectories: [{ reward: 1 }, { reward: 1 / 0 }] }] }, 'groups.0.trajectories.1.reward is Infinity'],
  [{ inputs: { a: [0, -1 / 0] } }, 'inputs.a.1 is -Infinity'],
])('%j is refused by the path of the number', (body, message) => {
  expect(() => assertFiniteNumbers(body)).toThrow(message)
})

test('everything that JSON can say passes', () => {
  fc.assert(fc.property(fc.jsonValue(), (body) => assertFiniteNumbers(body)))
  expect(() => assertFiniteNumbers({ at: new Date(Number.NaN), bytes: Float64Array.of(Number.NaN), none: undefined })).not.toThrow()
})
