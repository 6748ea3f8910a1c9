import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestDelayMs, retryDelay } from './retry-delay.ts'

const seconds = (attempt: number, chance: number) => retryDelay({ attempt, askedMs: 0 }, { random: () => chance }) / 1000

test.each([
  [1, 0.5, 1],
  [2, 1, 2],
  [3, 2, 4],
  [9, 128, 256],
  [10, 150, 300],
  [20, 150, 300],
])('attempt %i is followed by another after %d to %d seconds', (attempt, least, most) => {
  expect([seconds(attempt, 0), seconds(attempt, 1)]).toEqual([least, most])
})

test('what a handler asks for is waited for, up to an hour', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 2 ** 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, askedMs, chance) => {
        const delay = retryDelay({ attempt, askedMs }, { random: () => chance })
        expect(delay).toBeGreaterThanOrEqual(Math.min(askedMs, longestDelayMs))
        expect(delay).toBeLessThanOrEqual(longestDelayMs)
      },
    ),
  )
})
