import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mcnemarExact } from './mcnemar-exact.ts'

// Approval ratings in A. Agresti, Categorical Data Analysis, 1990, p. 350; the exact value is in M. P. Fay, The R Journal 2(1):53, 2010.
test('150 rows against 86 have the published p-value', () => {
  expect(mcnemarExact({ onlyFirst: 150, onlySecond: 86 })).toBeCloseTo(3.716e-5, 8)
})

test.each([
  [0, 0, 1],
  [1, 0, 1],
  [5, 0, 0.0625],
  [1, 9, 0.021484375],
  [4, 4, 1],
])('%i rows against %i: %d, as by hand', (onlyFirst, onlySecond, probability) => {
  expect(mcnemarExact({ onlyFirst, onlySecond })).toBeCloseTo(probability, 12)
})

test('it does not matter which run is first, and more unevenness is less probable', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(3_000), (more, fewer) => {
      const value = mcnemarExact({ onlyFirst: more, onlySecond: fewer })
      expect(value).toBe(mcnemarExact({ onlyFirst: fewer, onlySecond: more }))
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
      if (more <= fewer) expect(mcnemarExact({ onlyFirst: more - 1, onlySecond: fewer + 1 })).toBeLessThanOrEqual(value + 1e-9)
    }),
  )
})

test('under the hypothesis at most 5 % of all splits are below 0.05', () => {
  for (const changed of [10, 25, 60]) {
    let probability = 2 ** -changed
    let rejected = 0
    for (let first = 0; first <= changed; first++) {
      if (mcnemarExact({ onlyFirst: first, onlySecond: changed - first }) <= 0.05) rejected += probability
      probability *= (changed - first) / (first + 1)
    }
    expect(rejected).toBeLessThanOrEqual(0.05)
    expect(rejected).toBeGreaterThan(0.01)
  }
})
