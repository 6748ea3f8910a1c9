import type { EvalResultsRow } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { rowsOfSet, setText } from './row-set.ts'

const aRow = (row_digest: string, ...runs: string[]): EvalResultsRow => ({
  row_digest,
  raw_data_row: null,
  evaluations: runs.map((evaluation_call_id) => ({ evaluation_call_id, trials: [] })),
})
const rows = [aRow('1', 'a', 'b'), aRow('2', 'a'), aRow('3', 'b', 'a'), aRow('4', 'b')]

test('rows that every run has are those of the set, and all rows stay the same list', () => {
  const { rows: chosen, shared } = rowsOfSet(rows, ['a', 'b'], 'shared')
  expect(chosen.map(({ row_digest }) => row_digest)).toEqual(['1', '3'])
  expect(shared).toBe(2)
  expect(rowsOfSet(rows, ['a', 'b'], undefined)).toEqual({ rows, shared: 2 })
  expect(rowsOfSet(rows, ['a', 'b'], undefined).rows).toBe(rows)
})

test.each([
  [{ read: 1_200, shared: 1_199, set: undefined, isFiltered: false }, '1,200 rows, 1,199 shared. Differences use rows of both runs.'],
  [{ read: 3, shared: 3, set: undefined, isFiltered: true }, '3 rows match, all shared'],
  [{ read: 1, shared: 1, set: undefined, isFiltered: true }, '1 row matches, shared'],
  [{ read: 5, shared: 3, set: 'shared', isFiltered: false }, '5 rows. Figures use the 3 shared.'],
  [{ read: 2, shared: 1, set: 'shared', isFiltered: true }, '2 rows match. Figures use the 1 shared.'],
  [{ read: 4, shared: 4, set: 'shared', isFiltered: false }, '4 rows, all shared'],
] as const)('%j is said in words', (words, text) => {
  expect(setText(words)).toBe(text)
})
