import type { EvalResultsRow } from '@heddle/core-api'
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
  [
    { read: 1_200, shared: 1_199, set: undefined, isFiltered: false },
    '1,200 rows in all; 1,199 of them in every run. Differences are of the rows that both runs have. 1 is missing in a run, whose differences leave it out.',
  ],
  [
    { read: 3, shared: 3, set: undefined, isFiltered: true },
    '3 rows match the filter; 3 of them in every run. Differences are of the rows that both runs have.',
  ],
  [
    { read: 5, shared: 3, set: 'shared', isFiltered: false },
    'Figures are of the 3 rows that every run has; 2 that a run does not have are left out.',
  ],
  [
    { read: 2, shared: 1, set: 'shared', isFiltered: true },
    'Figures are of the one row of the filter that every run has; 1 that a run does not have is left out.',
  ],
  [{ read: 4, shared: 4, set: 'shared', isFiltered: false }, 'Figures are of the 4 rows that every run has; none is left out.'],
] as const)('%j is said in words', (words, text) => {
  expect(setText(words)).toBe(text)
})
