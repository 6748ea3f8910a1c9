import { seededRandom } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PairedCounts, rowsOf } from './paired-counts.ts'
import { pairedRateInterval } from './paired-rate-interval.ts'

// M. W. Fagerland, S. Lydersen and P. Laake, Statistics in Medicine 33:2850, 2014 (data of Bentur et al., 2009, first minus second).
test('the interval is the published one', () => {
  const interval = pairedRateInterval({ both: 1, onlyFirst: 7, onlySecond: 1, neither: 12 }, 0.95)
  expect(interval?.low).toBeCloseTo(-0.507, 3)
  expect(interval?.high).toBeCloseTo(-0.026, 3)
})

test('the interval is undefined when there are no rows', () => {
  expect(pairedRateInterval({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }, 0.95)).toBeUndefined()
})

test('few rows that all agree leave room for a difference', () => {
  const interval = pairedRateInterval({ both: 10, onlyFirst: 0, onlySecond: 0, neither: 0 }, 0.95)
  expect(interval?.low).toBeLessThan(-0.2)
  expect(interval?.high).toBeGreaterThan(0.2)
})

const counts = fc.record({ both: fc.nat(300), onlyFirst: fc.nat(300), onlySecond: fc.nat(300), neither: fc.nat(300) })

test('the interval holds the difference, lies within -1 and 1, and turns with the runs', () => {
  fc.assert(
    fc.property(
      counts.filter((one) => rowsOf(one) > 0),
      (one) => {
        const { low, high } = pairedRateInterval(one, 0.95) ?? { low: NaN, high: NaN }
        const turned = pairedRateInterval({ ...one, onlyFirst: one.onlySecond, onlySecond: one.onlyFirst }, 0.95)
        const difference = (one.onlySecond - one.onlyFirst) / rowsOf(one)
        expect(low).toBeGreaterThanOrEqual(-1)
        expect(high).toBeLessThanOrEqual(1)
        expect(difference).toBeGreaterThanOrEqual(low - 1e-12)
        expect(difference).toBeLessThanOrEqual(high + 1e-12)
        expect(turned?.low).toBeCloseTo(-high, 10)
        expect(turned?.high).toBeCloseTo(-low, 10)
      },
    ),
  )
})

test.each([
  { shares: [0.6, 0.1, 0.1, 0.2], rows: 40 },
  { shares: [0.7, 0.05, 0.15, 0.1], rows: 60 },
  { shares: [0.2, 0.3, 0.2, 0.3], rows: 100 },
])('of 2000 samples of $rows rows, about 95 % cover the true difference of $shares', ({ shares, rows }) => {
  const random = seededRandom(rows)
  const [both = 0, onlyFirst = 0, onlySecond = 0] = shares
  const sample = () => {
    const drawn: PairedCounts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }
    for (let row = 0; row < rows; row++) {
      const at = random()
      if (at < both) drawn.both++
      else if (at < both + onlyFirst) drawn.onlyFirst++
      else if (at < both + onlyFirst + onlySecond) drawn.onlySecond++
      else drawn.neither++
    }
    return pairedRateInterval(drawn, 0.95) ?? { low: 1, high: 0 }
  }
  const truth = onlySecond - onlyFirst
  const covered = Array.from({ length: 2_000 }, sample).filter(({ low, high }) => low <= truth && truth <= high).length / 2_000
  expect(covered).toBeGreaterThan(0.935)
  expect(covered).toBeLessThan(0.985)
})
