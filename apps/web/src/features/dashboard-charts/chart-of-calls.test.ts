import { expect, test } from 'vitest'
import { parseFilter } from '../filter/parse-filter.ts'
import { readChart } from './chart.ts'
import { chartOfCalls } from './chart-of-calls.ts'

const where = [
  { path: 'started_at', operator: '>=' as const, value: '2026-01-01T00:00:00Z' },
  { path: 'op_name', operator: '=' as const, value: 'answer' },
]

test.each([
  [{}, { measure: 'calls', level: 'roots', filter: '' }],
  [
    { where, level: 'all' },
    { level: 'all', filter: 'op_name = "answer"' },
  ],
  [{ where, filter: 'a = 1 or b = 2' }, { filter: 'op_name = "answer" and (a = 1 or b = 2)' }],
  [{ filter: 'a = 1 or b = 2' }, { filter: 'a = 1 or b = 2' }],
  [
    { status: 'error', sort: 'slowest' },
    { measure: 'errors', level: 'roots', filter: '' },
  ],
  [{ review: 'none' }, { filter: 'feedback.[*].payload = ""' }],
] as const)('of the calls of %j the chart is %j', (search, chart) => {
  const made = chartOfCalls({ ...search, where: 'where' in search ? [...search.where] : undefined })
  expect(made).toMatchObject(chart)
  expect(readChart(JSON.parse(JSON.stringify(made)))).toEqual(made)
})

test('a text that is searched for is part of the filter', () => {
  expect(() => parseFilter(chartOfCalls({ text: 'say "hi"', where }).filter)).not.toThrow()
  expect(chartOfCalls({ text: 'Oslo' }).filter).toContain('output contains "Oslo"')
})
