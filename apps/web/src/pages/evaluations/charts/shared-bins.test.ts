import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSharedBins } from './shared-bins.ts'

test('runs share their bins: one for each of a few values', () => {
  expect(toSharedBins([[1, 0, 1], [0]])).toEqual([
    { low: 0, high: 0, counts: [1, 1] },
    { low: 1, high: 1, counts: [2, 0] },
  ])
  expect(toSharedBins([[], []])).toEqual([])
})

test('whatever the values, each is in the range of exactly one bin, and counted once', () => {
  const values = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { maxLength: 40 })
  fc.assert(
    fc.property(values, values, (one, other) => {
      const bins = toSharedBins([one, other])
      for (const [at, own] of [one, other].entries()) {
        expect(bins.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)).toBe(own.length)
        for (const { low, high, counts } of bins) expect(own.filter((value) => value >= low && value <= high)).toHaveLength(counts[at] ?? 0)
      }
    }),
  )
})
