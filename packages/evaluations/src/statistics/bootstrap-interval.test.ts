import { seededRandom, trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bootstrapInterval, meanOf } from './bootstrap-interval.ts'

const at95 = { confidence: 0.95, seed: 1 }

test('fewer than two values have no interval, equal ones a point', () => {
  expect(bootstrapInterval([], at95)).toBeUndefined()
  expect(bootstrapInterval([3], at95)).toBeUndefined()
  expect(bootstrapInterval([0.5, 0.5, 0.5], at95)).toEqual({ low: 0.5, high: 0.5 })
})

test('the same seed gives the same interval, another seed nearly the same', () => {
  const values = Array.from({ length: 200 }, (_, index) => Math.sin(index))
  const [first, again, other] = [1, 1, 2].map((seed) => bootstrapInterval(values, { confidence: 0.95, seed }))
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(other?.low).toBeCloseTo(first?.low ?? NaN, 1)
})

test('intervals that were recorded can be computed again', () => {
  const values = Array.from({ length: 5_000 }, (_, index) => ((index * 7_919) % 1_000) / 1_000)
  expect(bootstrapInterval(values, at95)).toEqual({ low: 0.4914909107931825, high: 0.5075416346113851 })
})

test('for many values of a normal distribution it is the interval of the textbook', () => {
  const random = seededRandom(7)
  const values = Array.from({ length: 2_000 }, () => normal(random))
  const mean = meanOf(values)
  const error = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)) / values.length)
  const { low, high } = bootstrapInterval(values, at95) ?? { low: NaN, high: NaN }
  expect(Math.abs(low - (mean - 1.96 * error))).toBeLessThan(0.1 * error)
  expect(Math.abs(high - (mean + 1.96 * error))).toBeLessThan(0.1 * error)
})

test('whatever the values are, the interval lies within them, and a higher confidence is wider', () => {
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(values, fc.integer(), (sample, seed) => {
      const wide = bootstrapInterval(sample, { confidence: 0.95, seed }) ?? { low: NaN, high: NaN }
      const narrow = bootstrapInterval(sample, { confidence: 0.8, seed }) ?? { low: NaN, high: NaN }
      const slack = 1e-6
      expect(wide.low).toBeGreaterThanOrEqual(Math.min(...sample) - slack)
      expect(wide.high).toBeLessThanOrEqual(Math.max(...sample) + slack)
      expect(wide.low).toBeLessThanOrEqual(narrow.low + slack)
      expect(narrow.high).toBeLessThanOrEqual(wide.high + slack)
    }),
    { numRuns: trials({ usual: 50, long: 1_000 }) },
  )
})

test('a skewed sample has an interval that reaches farther on the side of its tail', () => {
  const random = seededRandom(3)
  const values = Array.from({ length: 60 }, () => -Math.log(1 - random()))
  const { low, high } = bootstrapInterval(values, at95) ?? { low: NaN, high: NaN }
  expect(high - meanOf(values)).toBeGreaterThan(1.1 * (meanOf(values) - low))
})

test.each([
  { name: 'normal', truth: 0, draw: normal },
  { name: 'uniform', truth: 0.5, draw: (random: () => number) => random() },
  { name: 'exponential', truth: 1, draw: (random: () => number) => -Math.log(1 - random()) },
  { name: 'passed trials of three', truth: 0.7, draw: (random: () => number) => meanOf([0, 1, 2].map(() => (random() < 0.7 ? 1 : 0))) },
])('about 95 % of samples of 50 $name values cover the true mean', ({ truth, draw }) => {
  const random = seededRandom(11)
  const samples = trials({ usual: 400, long: 4_000 })
  let covered = 0
  for (let sample = 0; sample < samples; sample++) {
    const values = Array.from({ length: 50 }, () => draw(random))
    const { low, high } = bootstrapInterval(values, { confidence: 0.95, seed: sample }) ?? { low: 1, high: 0 }
    if (low <= truth && truth <= high) covered++
  }
  expect(covered / samples).toBeGreaterThan(0.91)
  expect(covered / samples).toBeLessThan(0.98)
})

/** By the transform of Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
