import { expect, test } from 'vitest'
import { learningRateAt } from './learning-rate.ts'

const schedule = { highest: 0.01, steps: 1000, warmupSteps: 100, decayShare: 0.2 }

test.each([
  [0, 0.0001],
  [99, 0.01],
  [100, 0.01],
  [800, 0.01],
  [900, 0.005],
  [1000, 0.0001],
])('at step %d the rate is %d', (step, rate) => {
  expect(learningRateAt(schedule, step)).toBeCloseTo(rate, 10)
})

test('until it decays, a run is the beginning of a longer one', () => {
  for (const step of [0, 50, 100, 799]) expect(learningRateAt(schedule, step)).toBe(learningRateAt({ ...schedule, steps: 5000 }, step))
})
