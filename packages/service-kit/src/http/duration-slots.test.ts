import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationSlots, percentileOf, slotOf } from './duration-slots.ts'

const count = (durations: readonly number[]) => {
  const counts = new Array<number>(durationSlots).fill(0)
  for (const ms of durations) counts[slotOf(ms)] = (counts[slotOf(ms)] ?? 0) + 1
  return counts
}

test('a percentile is at least the exact one, and at most 19 % above it', () => {
  const durations = fc.array(fc.double({ min: 1, max: 800_000, noNaN: true }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(durations, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
      const sorted = all.toSorted((a, b) => a - b)
      const exact = sorted[Math.max(1, Math.ceil(all.length * share)) - 1] ?? Number.NaN
      const read = percentileOf(count(all), share) ?? Number.NaN
      // Powers of two are rounded.
      expect(read / exact).toBeGreaterThan(1 - 1e-9)
      expect(read / exact).toBeLessThan(1.19)
    }),
  )
})

test('no durations have no percentile', () => {
  expect(percentileOf(count([]), 0.95)).toBe(null)
})

test('the first and the last slot have all that is shorter or longer', () => {
  expect([0, 0.2, 1].map(slotOf)).toEqual([0, 0, 0])
  expect([2e6, 1e12].map(slotOf)).toEqual([durationSlots - 1, durationSlots - 1])
})
