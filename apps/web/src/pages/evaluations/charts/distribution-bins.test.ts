import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDistribution } from './distribution-bins.ts'

test('runs share the bins of few values, each of which counts the rows of each run', () => {
  expect(toDistribution([[0, 1, 1], [1]])).toEqual({
    bins: [
      { values: { low: 0, high: 0 }, counts: [1, 0] },
      { values: { low: 1, high: 1 }, counts: [2, 1] },
    ],
    ends: undefined,
  })
})

test('many values fall into ranges of one width, of which one without a value stays in its place', () => {
  const few = Array.from({ length: 12 }, (_, at) => at / 100)
  const { bins, ends } = toDistribution([few, [1]])
  expect([bins.length, ends?.[0], ends?.[1]]).toEqual([12, 0, expect.closeTo(1)])
  expect(bins[5]).toEqual({ values: undefined, counts: [0, 0] })
  expect(bins.at(-1)).toEqual({ values: { low: 1, high: 1 }, counts: [0, 1] })
  expect(bins.reduce((sum, { counts }) => sum + counts.reduce((own, count) => own + count, 0), 0)).toBe(13)
})

test('without a value there is no bin', () => {
  expect(toDistribution([[], []])).toEqual({ bins: [], ends: undefined })
})

test('whatever the values, each is in the range of exactly one bin, and counted once', () => {
  const values = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { maxLength: 40 })
  fc.assert(
    fc.property(values, values, (one, other) => {
      const { bins } = toDistribution([one, other])
      for (const [at, own] of [one, other].entries()) {
        expect(bins.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)).toBe(own.length)
        for (const { values: range, counts } of bins)
          expect(range ? own.filter((value) => value >= range.low && value <= range.high) : []).toHaveLength(counts[at] ?? 0)
      }
    }),
  )
})
