import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wilsonInterval } from './wilson-interval.ts'

// R. G. Newcombe, Statistics in Medicine 17:857, 1998, table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i lies between %d and %d, as published', (passed, trials, low, high) => {
  const interval = wilsonInterval({ passed, trials }, 0.95)
  expect(interval?.low).toBeCloseTo(low, 4)
  expect(interval?.high).toBeCloseTo(high, 4)
})

test('the interval is undefined when there are no trials', () => {
  expect(wilsonInterval({ passed: 0, trials: 0 }, 0.95)).toBeUndefined()
})

const counts = fc.integer({ min: 1, max: 2_000 }).chain((trials) => fc.record({ trials: fc.constant(trials), passed: fc.nat(trials) }))

test('the interval holds the rate, stays within 0 and 1, and mirrors', () => {
  fc.assert(
    fc.property(counts, fc.double({ min: 0.5, max: 0.999, noNaN: true }), ({ passed, trials }, confidence) => {
      const { low, high } = wilsonInterval({ passed, trials }, confidence) ?? { low: NaN, high: NaN }
      const mirrored = wilsonInterval({ passed: trials - passed, trials }, confidence)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      expect(passed / trials).toBeGreaterThanOrEqual(low)
      expect(passed / trials).toBeLessThanOrEqual(high)
      expect(mirrored?.high).toBeCloseTo(1 - low, 12)
    }),
  )
})

test.each([20, 50, 200])('averaged over all rates, %i trials cover the truth at the nominal level', (trials) => {
  // Those above one half mirror these.
  const rates = Array.from({ length: 100 }, (_, index) => (index + 1) / 200)
  const mean = rates.reduce((sum, rate) => sum + coverage(rate, trials), 0) / rates.length
  expect(mean).toBeGreaterThan(0.94)
  expect(mean).toBeLessThan(0.965)
})

/** The exact probability that the interval of `trials` draws holds the rate. */
function coverage(rate: number, trials: number): number {
  let probability = (1 - rate) ** trials
  let covered = 0
  for (let passed = 0; passed <= trials; passed++) {
    const { low, high } = wilsonInterval({ passed, trials }, 0.95) ?? { low: 1, high: 0 }
    if (low <= rate && rate <= high) covered += probability
    probability *= ((trials - passed) / (passed + 1)) * (rate / (1 - rate))
  }
  return covered
}
