import type { EvalResultsRow } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { maxParts, rowsOfPart, splitsOf } from './row-splits.ts'

const aRow = (raw_data_row: unknown, at: number): EvalResultsRow => ({ row_digest: String(at), raw_data_row, evaluations: [] })
const rows = [
  { id: 1, split: 'train', level: 2, isHard: false, question: 'one', same: 'x' },
  { id: 2, split: 'test', level: 1, isHard: true, question: 'two', same: 'x' },
  { id: 3, split: 'train', level: 1, isHard: true, question: 'x'.repeat(61), same: 'x' },
  { id: 4, level: 1, isHard: true, question: 'four', same: 'x', score: 0.5 },
].map(aRow)
const digests = (found: readonly EvalResultsRow[]) => found.map(({ row_digest }) => row_digest)

test('columns whose values are few split the rows, the largest part first', () => {
  expect(splitsOf(rows)).toEqual([
    {
      column: 'split',
      parts: [
        { value: 'train', rows: 2 },
        { value: 'test', rows: 1 },
      ],
    },
    {
      column: 'level',
      parts: [
        { value: '1', rows: 3 },
        { value: '2', rows: 1 },
      ],
    },
    {
      column: 'isHard',
      parts: [
        { value: 'true', rows: 3 },
        { value: 'false', rows: 1 },
      ],
    },
  ])
})

test('a column with too many values splits nothing, and neither does anything else than objects', () => {
  const many = Array.from({ length: 2 * maxParts + 2 }, (_, at) => aRow({ group: `group ${at >> 1}` }, at))
  expect(splitsOf(many)).toEqual([])
  expect(splitsOf(many.slice(2))).toHaveLength(1)
  expect(splitsOf(['text', null, [1]].map(aRow))).toEqual([])
  expect(splitsOf([])).toEqual([])
})

test('a part has the rows of its value, and all rows stay the same list where none is chosen', () => {
  expect(digests(rowsOfPart(rows, { split: 'split', part: 'train' }))).toEqual(['0', '2'])
  expect(digests(rowsOfPart(rows, { split: 'isHard', part: 'true' }))).toEqual(['1', '2', '3'])
  expect(digests(rowsOfPart(rows, { split: 'constructor', part: 'x' }))).toEqual([])
  expect(rowsOfPart(rows, { split: 'split' })).toBe(rows)
})
