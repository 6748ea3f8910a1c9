import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSampled } from './is-sampled.ts'

const seeded = { seed: 15, numRuns: 40 }
const rate = fc.double({ min: 0, max: 1, noNaN: true })
const idsOf = (seed: number) => Array.from({ length: 2_000 }, (_, n) => `call-${seed}-${n}`)

test('the share of chosen calls is the rate, within five standard deviations', () => {
  fc.assert(
    fc.property(rate, fc.nat(), (share, seed) => {
      const ids = idsOf(seed)
      const chosen = ids.filter((id) => isSampled('p/monitor', id, share)).length
      const deviation = Math.sqrt(ids.length * share * (1 - share))
      expect(Math.abs(chosen - ids.length * share)).toBeLessThanOrEqual(5 * deviation + 1)
    }),
    seeded,
  )
})

test('a higher rate chooses what a lower one does, and a repeat chooses the same', () => {
  fc.assert(
    fc.property(rate, rate, fc.string(), fc.string(), (one, other, monitor, id) => {
      const [low, high] = one < other ? [one, other] : [other, one]
      expect(isSampled(monitor, id, high) || !isSampled(monitor, id, low)).toBe(true)
      expect(isSampled(monitor, id, one)).toBe(isSampled(monitor, id, one))
    }),
    { ...seeded, numRuns: 500 },
  )
})

test('a rate of 0 chooses none and a rate of 1 all', () => {
  const ids = idsOf(1)
  expect(ids.filter((id) => isSampled('m', id, 0))).toEqual([])
  expect(ids.filter((id) => isSampled('m', id, 1))).toEqual(ids)
})

test('monitors choose independently of each other', () => {
  const both = idsOf(2).filter((id) => isSampled('a', id, 0.5) && isSampled('b', id, 0.5)).length
  expect(Math.abs(both - 500)).toBeLessThan(100)
})
