import { expect, test } from 'vitest'
import { createRandom } from './seeded-random.ts'

const draw = (seed: number, count: number) => Array.from({ length: count }, createRandom(seed))

test('a seed always gives the same numbers, another seed others', () => {
  expect(draw(5, 100)).toEqual(draw(5, 100))
  expect(draw(5, 100)).not.toEqual(draw(6, 100))
})

test.each([0, 1, -1, 2 ** 31])('the numbers of seed %i are spread evenly from 0 to below 1', (seed) => {
  const numbers = draw(seed, 100_000)
  const bins = Array.from({ length: 100 }, () => 0)
  for (const number of numbers) bins[Math.floor(number * 100)]! += 1
  const chiSquare = bins.reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0)
  // 99 degrees of freedom: the middle 99.8 %.
  expect(chiSquare).toBeGreaterThan(60)
  expect(chiSquare).toBeLessThan(149)
  expect(Math.max(...numbers.slice(0, 1_000))).toBeLessThan(1)
})

test('neighbouring numbers do not depend on each other', () => {
  const numbers = draw(9, 100_000)
  const products = numbers.slice(1).map((number, index) => (number - 0.5) * ((numbers[index] ?? 0) - 0.5))
  const correlation = products.reduce((sum, product) => sum + product, 0) / products.length / (1 / 12)
  expect(Math.abs(correlation)).toBeLessThan(0.01)
})
