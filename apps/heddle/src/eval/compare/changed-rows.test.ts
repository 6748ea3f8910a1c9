import { pairRows, type RowDifference } from '@heddle/evaluations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { largestChanges } from './changed-rows.ts'

const toPairs = (differences: readonly number[]): RowDifference[] =>
  differences.map((difference, row) => ({ row, a: 0, b: difference, difference }))

test('rows are paired where both runs have a value', () => {
  const aMeasure = (byRow: number[]) => ({ name: 's', byRow, trials: 0, isRate: false, isSingle: true })
  expect(pairRows(aMeasure([1, Number.NaN, 3, 4]), aMeasure([2, 2, 1]))).toEqual([
    { row: 0, a: 1, b: 2, difference: 1 },
    { row: 2, a: 3, b: 1, difference: -2 },
  ])
})

test('the largest changes come first, equal ones by row, and no more than requested', () => {
  const { lowered, raised } = largestChanges(toPairs([0, -1, 2, -3, 2, -1]), 2)
  expect([lowered, raised].map((side) => side.map(({ row }) => row))).toEqual([
    [3, 1],
    [2, 4],
  ])
})

test('no row that is left out changed more than one that is in, and unchanged rows are never in', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), fc.nat(5), (differences, limit) => {
      const { lowered, raised } = largestChanges(toPairs(differences), limit)
      for (const [side, sign] of [[lowered, -1] as const, [raised, 1] as const]) {
        const changes = differences.map((difference) => difference * sign).filter((change) => change > 0)
        const largest = changes.toSorted((one, other) => other - one).slice(0, limit)
        expect(side.map(({ difference }) => difference * sign)).toEqual(largest)
      }
    }),
  )
})
