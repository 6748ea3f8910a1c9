import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timelineTicks } from './timeline-ticks.ts'

test.each([
  [8_420, 5, ['0 s', '5 s']],
  [8_420, 5.9, ['0 s', '2 s', '4 s', '6 s', '8 s']],
  [412, 5, ['0 ms', '200 ms', '400 ms']],
  [1_200, 5, ['0 ms', '500 ms', '1000 ms']],
  [130_000, 6, ['0 s', '30 s', '60 s', '90 s', '120 s']],
  [3_700_000, 5, ['0 min', '30 min', '60 min']],
  [90_000_000, 5, ['0 h', '10 h', '20 h']],
  [0, 5, ['0 s']],
  [Number.NaN, 5, ['0 s']],
])('%d ms with room for %d has the ticks %j', (total, most, texts) =>
  expect(timelineTicks(total, most).map(({ text }) => text)).toEqual(texts),
)

test('there is never more than there is room for, and the last is within the whole', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 1e10, noNaN: true }), fc.double({ min: 2, max: 12, noNaN: true }), (total, most) => {
      const ticks = timelineTicks(total, most)
      expect(ticks.length).toBeLessThanOrEqual(most)
      expect(ticks[0]?.ms).toBe(0)
      expect(ticks.at(-1)?.ms).toBeLessThanOrEqual(total)
      expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length)
    }),
  )
})
