import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { latencyMeasure, scoresFirst, tokensMeasure, valuesOf } from './measure.ts'
import { createMeasuredResults } from './measured-results.ts'

const aTrial = (scores: Record<string, unknown>, fields: Partial<EvalTrial> = {}): EvalTrial => ({
  predict_and_score_call_id: 'p',
  predict_call_id: null,
  model_output: null,
  scores,
  model_latency_seconds: null,
  total_tokens: null,
  total_cost: null,
  scorer_call_ids: {},
  genai_span_ref: null,
  ...fields,
})
const aRow = (row_digest: string, trialsByRun: Record<string, EvalTrial[]>): EvalResultsRow => ({
  row_digest,
  raw_data_row: null,
  evaluations: Object.entries(trialsByRun).map(([evaluation_call_id, trials]) => ({ evaluation_call_id, trials })),
})
const measured = (rows: EvalResultsRow[], { ids = ['a'], scorers = [] as string[] } = {}) => {
  const results = createMeasuredResults(ids, scorers)
  for (const row of rows) results.add(row)
  return results
}

test('booleans and numbers at any depth are scores; texts, lists, null and what is not finite are none', () => {
  const scores = { flat: true, deep: { one: 2, two: { three: false } }, text: 'x', list: [1], none: null, huge: Infinity }
  const [run] = measured([aRow('r', { a: [aTrial(scores)] })]).runs
  expect([...(run?.measures.keys() ?? [])]).toEqual(['flat', 'deep.one', 'deep.two.three'])
})

test.each([
  ['is unknown where no trial took time, as of predictions that are recorded when they are done', [0, 0], undefined],
  ['counts trials that took none among others', [0, 0.25], [0, 0.25]],
])('latency %s', (_, latencies, expected) => {
  const results = createMeasuredResults(['run'], [])
  for (const seconds of latencies) results.add(aRow('r', { run: [aTrial({ correct: true }, { model_latency_seconds: seconds })] }))
  const latency = results.runs[0]?.measures.get(latencyMeasure)
  expect(latency && valuesOf(latency)).toEqual(expected)
})

test('latency and tokens come last, and a score of their name is kept instead', () => {
  const trial = aTrial({ [tokensMeasure]: 7 }, { model_latency_seconds: 0.5, total_tokens: 100 })
  const [run] = measured([aRow('r', { a: [{ ...trial, scores: { ...trial.scores, score: 1 } }] })]).runs
  expect(run && scoresFirst(run).map(({ name, byRow }) => [name, byRow])).toEqual([
    ['score', [1]],
    [tokensMeasure, [7]],
    [latencyMeasure, [0.5]],
  ])
})

test('a rate is of booleans alone, and single while no row has two trials with a value', () => {
  const rows = [aRow('r', { a: [aTrial({ rate: true, mixed: true, twice: true }), aTrial({ mixed: 2, twice: false })] })]
  const [run] = measured(rows).runs
  const of = (name: string) => run?.measures.get(name)
  expect(of('rate')).toMatchObject({ isRate: true, isSingle: true, trials: 1 })
  expect(of('mixed')).toMatchObject({ isRate: false, isSingle: false, byRow: [1.5] })
  expect(of('twice')).toMatchObject({ isRate: true, isSingle: false, byRow: [0.5] })
})

test('scores are chosen by their name or by that of their scorer', () => {
  const rows = [aRow('r', { a: [aTrial({ exact: { match: true, near: 1 }, exactly: 1, other: 2 }, { total_tokens: 1 })] })]
  const namesFor = (...scorers: string[]) => [...(measured(rows, { scorers }).runs[0]?.measures.keys() ?? [])]
  expect(namesFor('exact')).toEqual(['exact.match', 'exact.near', tokensMeasure])
  expect(namesFor('exact.match', 'other')).toEqual(['exact.match', 'other', tokensMeasure])
})

test('scores of more names than a run may have are refused', () => {
  const scores = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`s${index}`, 1]))
  expect(() => measured([aRow('r', { a: [aTrial(scores)] })])).toThrow('the run has more than 1000 scores')
})

test('whatever rows have and lack, each mean is that of its row, and rows and trials are counted', () => {
  const trial = fc
    .option(fc.integer({ min: -9, max: 9 }), { nil: null })
    .map((value) => (value === null ? aTrial({}) : aTrial({ s: value })))
  const row = fc.record(
    { a: fc.array(trial, { minLength: 1, maxLength: 3 }), b: fc.array(trial, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const { runs, digests } = measured(
        rows.map((trials, index) => aRow(`r${index}`, trials)),
        { ids: ['a', 'b'] },
      )
      expect(digests).toEqual(rows.map((_, index) => `r${index}`))
      for (const [index, id] of (['a', 'b'] as const).entries()) {
        const values = (trials: EvalTrial[] = []) =>
          trials.flatMap(({ scores }) => (scores['s'] === undefined ? [] : [scores['s'] as number]))
        const scored = rows.map((one) => values(one[id]))
        const run = runs[index]
        const measure = run?.measures.get('s')
        expect([run?.rows, run?.trials]).toEqual([rows.filter((one) => one[id]).length, rows.flatMap((one) => one[id] ?? []).length])
        expect(measure?.trials ?? 0).toBe(scored.flat().length)
        const means = scored.filter((of) => of.length > 0).map((of) => of.reduce((sum, value) => sum + value, 0) / of.length)
        expect(measure ? valuesOf(measure) : []).toEqual(means)
      }
    }),
  )
})
