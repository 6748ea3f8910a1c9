import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { measureColumns } from './intervals/measured-columns.ts'
import { changeOf, chooseRows, countChoices, pairRuns, spreadInCell, valuesInRow } from './compared-runs.ts'
import type { RowOrder } from './rows/row-choices.ts'

const aTrial = (scores: Record<string, unknown>, output: unknown = 'text', seconds: number | null = null): EvalTrial =>
  ({
    predict_and_score_call_id: 'call',
    predict_call_id: null,
    model_output: output,
    scores,
    model_latency_seconds: seconds,
    total_tokens: null,
    total_cost: null,
    scorer_call_ids: {},
    genai_span_ref: null,
  }) as EvalTrial

const aRow = (row_digest: string, trials: Record<string, EvalTrial[]>): EvalResultsRow => ({
  row_digest,
  raw_data_row: { question: row_digest },
  evaluations: Object.entries(trials).map(([evaluation_call_id, of]) => ({ evaluation_call_id, trials: of })),
})

const results = [
  aRow('better', { a: [aTrial({ exact: false })], b: [aTrial({ exact: true })] }),
  aRow('worse', { a: [aTrial({ exact: true })], b: [aTrial({ exact: false })] }),
  aRow('same', { a: [aTrial({ exact: true })], b: [aTrial({ exact: true })] }),
  aRow('failed', { a: [aTrial({ exact: true })], b: [aTrial({}, null)] }),
  aRow('alone', { a: [aTrial({ exact: true })] }),
]
const compared = pairRuns(['a', 'b'], results)
const digests = (choice: Parameters<typeof chooseRows>[1]['choice'], order: RowOrder = 'change') =>
  chooseRows(compared, { choice, name: 'exact', order }).map(({ row }) => row.row_digest)

test('rows are paired by their digest, and those of both runs are counted', () => {
  expect(compared.names).toEqual(['exact'])
  expect(compared.shared).toBe(4)
  expect(valuesInRow(compared.runs, 'exact', 0)).toEqual([0, 1])
  expect(valuesInRow(compared.runs, 'exact', 4)).toEqual([1, Number.NaN])
})

test('the differences of a measure are those of the rows that both runs have', () => {
  const [baseline, other] = measureColumns(compared.runs.map(({ measures }) => measures.get('exact')))
  expect(baseline).toMatchObject({ mean: { value: 0.8 }, comparison: undefined, isRate: true })
  expect(other?.mean?.value).toBeCloseTo(2 / 3)
  expect(other?.comparison).toMatchObject({ paired_rows: 3, higher_rows: 1, lower_rows: 1, difference: { value: 0, method: 'newcombe' } })
  const { low = 0, high = 0 } = other?.comparison?.difference.interval ?? {}
  expect(low).toBeLessThan(0)
  expect(high).toBeGreaterThan(0)
})

test('rows are chosen by what became of them: falls first, then rises, then what stayed equal', () => {
  expect(digests('all')).toEqual(['worse', 'better', 'same', 'failed', 'alone'])
  expect(digests('all', 'row')).toEqual(['better', 'worse', 'same', 'failed', 'alone'])
  expect(digests('all', 'worst')).toEqual(['worse', 'better', 'same', 'failed', 'alone'])
  expect(digests('regressions')).toEqual(['worse'])
  expect(digests('improvements')).toEqual(['better'])
  expect(digests('disagreement')).toEqual(['worse', 'better'])
  expect(digests('errors')).toEqual(['failed'])
  expect(digests('shared')).toEqual(['worse', 'better', 'same', 'failed'])
})

test('less latency is an improvement, and of several runs the largest change counts', () => {
  expect(changeOf([2, 1], 'model_latency_seconds')).toBe(1)
  expect(changeOf([1, 1.2, 0.1], 'score')).toBeCloseTo(-0.9)
  expect(changeOf([1, Number.NaN], 'score')).toBeNaN()
})

test('trials of a row fold to mean, spread and number; a single value has no spread', () => {
  const trials = [aTrial({ s: 1 }, 'text', 2), aTrial({ s: 3 }, 'text', 4), aTrial({}, null)]
  const [row] = pairRuns(['a'], [aRow('r', { a: trials })]).rows
  const cell = row?.cells[0]
  expect(spreadInCell(cell, 's')).toEqual({ mean: 2, deviation: Math.SQRT2, count: 2 })
  expect(spreadInCell(cell, 'model_latency_seconds')?.mean).toBe(3)
  expect(spreadInCell(cell, 'missing')).toBeUndefined()
  expect(spreadInCell(pairRuns(['a'], results).rows[0]?.cells[0], 'exact')).toBeUndefined()
})

test('the worst rows of the last run come first also where nothing fell: the lowest scores, the longest times', () => {
  const values = (a: number, b: number | undefined, latency: number): { a: EvalTrial[]; b: EvalTrial[] } => ({
    a: [aTrial({ exact: a })],
    b: [aTrial(b === undefined ? {} : { exact: b }, 'text', latency)],
  })
  const unfallen = pairRuns(
    ['a', 'b'],
    [
      aRow('risen', values(0, 1, 1)),
      aRow('unscored', values(0, undefined, 3)),
      aRow('low', values(0.1, 0.1, 2)),
      aRow('lowest', values(0, 0, 1)),
    ],
  )
  const worst = (name: string) => chooseRows(unfallen, { choice: 'all', name, order: 'worst' }).map(({ row }) => row.row_digest)
  expect(worst('exact')).toEqual(['lowest', 'low', 'risen', 'unscored'])
  expect(worst('model_latency_seconds')).toEqual(['unscored', 'low', 'risen', 'lowest'])
})

test('each choice says how many rows it has', () => {
  expect(countChoices(compared, 'exact')).toEqual({ all: 5, shared: 4, regressions: 1, improvements: 1, disagreement: 2, errors: 1 })
})
