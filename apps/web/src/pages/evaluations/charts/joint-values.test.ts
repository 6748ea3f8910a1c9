import { expect, test } from 'vitest'
import { jointValues, maxPairs } from './joint-values.ts'

const measure = (...byRow: number[]) => ({ name: 'm', byRow, trials: byRow.length, isRate: false, isSingle: true })

test('rows with the same two values are one point, and rows without either are none', () => {
  expect(jointValues(measure(1, 0, 1, Number.NaN), measure(2, 2, 2, 2, 5))).toEqual({
    pairs: [
      { x: 1, y: 2, rows: 2 },
      { x: 0, y: 2, rows: 1 },
    ],
    rowsLeftOut: 0,
  })
  expect(jointValues(undefined, measure(1))).toEqual({ pairs: [], rowsLeftOut: 0 })
})

test('beyond what a chart draws, rows are counted', () => {
  const many = measure(...Array.from({ length: maxPairs + 3 }, (_, at) => at))
  const { pairs, rowsLeftOut } = jointValues(many, many)
  expect([pairs.length, rowsLeftOut]).toEqual([maxPairs, 3])
})
