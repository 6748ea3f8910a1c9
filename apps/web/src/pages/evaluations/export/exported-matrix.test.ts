import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import { JsonNumber } from '@heddle/json/exact'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { pairRuns } from '../compared-runs.ts'
import { measureColumns } from '../intervals/measured-columns.ts'
import { type ExportedMatrix, toJson } from './exported-matrix.ts'
import { toCsv } from './matrix-csv.ts'
import { toHtml } from './matrix-html.ts'

const aTrial = (exact: boolean, model_output: unknown): EvalTrial => ({
  predict_and_score_call_id: 'call',
  predict_call_id: null,
  model_output,
  scores: { exact },
  model_latency_seconds: null,
  total_tokens: null,
  total_cost: null,
  scorer_call_ids: {},
  genai_span_ref: null,
})
const hostile = '<img src=x onerror="alert(1)">'
const results: EvalResultsRow[] = [
  {
    row_digest: 'r1',
    raw_data_row: { question: hostile },
    evaluations: [
      { evaluation_call_id: 'a', trials: [aTrial(true, '=1+1'), aTrial(false, 'other')] },
      { evaluation_call_id: 'b', trials: [aTrial(true, { answer: 'line\nbreak, "quoted"' })] },
    ],
  },
  { row_digest: 'r2', raw_data_row: { question: 'two' }, evaluations: [{ evaluation_call_id: 'a', trials: [aTrial(true, -2)] }] },
]
const aRun = (id: string, name: string) => ({
  id,
  name,
  model: 'm',
  status: 'completed' as const,
  started_at: '2026-01-01T00:00:00Z',
  duration_us: 1,
  exception: null,
})
const compared = pairRuns(['a', 'b'], results)
const matrix: ExportedMatrix = {
  project: 'team/app',
  runs: [aRun('a', 'one'), aRun('b', hostile)],
  labels: ['one', hostile],
  compared,
  rows: compared.rows,
  columns: new Map([['exact', measureColumns(compared.runs.map((run) => run.measures.get('exact')))]]),
}

test('CSV has a line for each row and a column for each value, and no text that a spreadsheet runs', () => {
  const { data, errors } = Papa.parse<Record<string, string>>(toCsv(matrix), { header: true, skipEmptyLines: true })
  expect(errors).toEqual([])
  expect(data).toEqual([
    {
      row_digest: 'r1',
      row: JSON.stringify({ question: hostile }),
      'one: output': "'=1+1",
      'one: trials': '2',
      'one: exact': '0.5',
      [`${hostile}: output`]: JSON.stringify({ answer: 'line\nbreak, "quoted"' }),
      [`${hostile}: trials`]: '1',
      [`${hostile}: exact`]: '1',
    },
    {
      row_digest: 'r2',
      row: '{"question":"two"}',
      'one: output': '-2',
      'one: trials': '1',
      'one: exact': '1',
      [`${hostile}: output`]: '',
      [`${hostile}: trials`]: '0',
      [`${hostile}: exact`]: '',
    },
  ])
})

test('JSON has every trial of every run', () => {
  const { project, runs, rows } = JSON.parse(toJson(matrix)) as {
    project: string
    runs: object[]
    rows: { runs: { trials: object[] }[] }[]
  }
  expect([project, runs.length]).toEqual(['team/app', 2])
  expect(rows.map((row) => row.runs.map(({ trials }) => trials.length))).toEqual([
    [2, 1],
    [1, 0],
  ])
  expect(rows[0]?.runs[0]).toMatchObject({ run: 'a', measures: { exact: { value: 0.5, trials: 2 } } })
})

test('the page holds rows, means and intervals, nothing that runs, and nothing from elsewhere', () => {
  const html = toHtml(matrix, `one and ${hostile}`, '2026-01-02T00:00:00Z')
  expect(html).not.toMatch(/<(?:script|img|link|iframe|a)\b|https?:/i)
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
  expect(html).toContain('50% ± 70.7% (n 2)')
  expect(html).toMatch(/rows in both/)
  expect(html).toContain('not in this run')
})

test('the page says of which rows its means are', () => {
  expect(toHtml({ ...matrix, words: `Figures are of 1 row, ${hostile}` }, 'title', 'today')).toContain('<p>Figures are of 1 row, &lt;img')
  expect(toHtml(matrix, 'title', 'today')).not.toContain('Figures are of')
})

test('files hold numbers as they were sent', () => {
  const [sent] = results
  const big = new JsonNumber('9007199254740993')
  const trial = aTrial(true, { share: new JsonNumber('1.0') })
  const row = { ...sent!, raw_data_row: { user: big }, evaluations: [{ evaluation_call_id: 'a', trials: [trial] }] }
  const exact = pairRuns(['a'], [row])
  const file = { ...matrix, runs: matrix.runs.slice(0, 1), labels: ['one'], compared: exact, rows: exact.rows }
  expect(toJson(file)).toContain('"user": 9007199254740993')
  expect(toJson(file)).toContain('"share": 1.0')
  expect(toCsv(file)).toContain('{""user"":9007199254740993}')
  expect(toHtml(file, 'title', 'today')).toContain('&quot;user&quot;: 9007199254740993')
})
