import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalProbability, normalQuantile } from './normal-distribution.ts'

// M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, table 26.1.
test.each([
  [0, 0.5],
  [0.5, 0.691462461274013],
  [1, 0.841344746068543],
  [2, 0.977249868051821],
  [3, 0.99865010196837],
])('at %d standard deviations the table says %d', (z, probability) => {
  expect(normalProbability(z)).toBeCloseTo(probability, 13)
  expect(normalProbability(-z)).toBeCloseTo(1 - probability, 13)
})

test.each([
  [0.95, 1.6448536269514722],
  [0.975, 1.959963984540054],
  [0.995, 2.5758293035489004],
])('the quantile of %d is %d', (probability, z) => {
  expect(normalQuantile(probability)).toBeCloseTo(z, 12)
})

test('the two halves of the computation meet, and tails stay positive', () => {
  expect(normalProbability(-6 - 1e-9) / normalProbability(-6)).toBeCloseTo(1, 5)
  expect(normalProbability(-30)).toBeGreaterThan(0)
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity])
})

test('the quantile inverts the probability', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (probability) => {
      expect(normalProbability(normalQuantile(probability))).toBeCloseTo(probability, 12)
    }),
  )
})
