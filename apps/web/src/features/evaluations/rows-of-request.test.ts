import type { EvalResultsRow } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { rowsOfRequest } from './rows-of-request.ts'

const rowsWith = (characters: number, count = 200) =>
  Array.from({ length: count }, (_, at): EvalResultsRow => ({
    row_digest: String(at),
    raw_data_row: 'x'.repeat(characters),
    evaluations: [],
  }))

test.each([
  { name: 'the first request is short', known: [], runs: 4, rows: 200 },
  { name: 'small rows come 6,000 trials at a time', known: rowsWith(100), runs: 4, rows: 1_500 },
  { name: 'so do those of one run', known: rowsWith(100, 5), runs: 1, rows: 6_000 },
  { name: 'huge rows come in short requests', known: rowsWith(1_000_000, 2), runs: 2, rows: 200 },
])('$name', ({ known, runs, rows }) => expect(rowsOfRequest(known, runs)).toBe(rows))

test('of large rows as many come as make some megabytes', () => {
  expect(rowsOfRequest(rowsWith(4_000), 2)).toBeGreaterThan(900)
  expect(rowsOfRequest(rowsWith(4_000), 2)).toBeLessThan(1_000)
})
