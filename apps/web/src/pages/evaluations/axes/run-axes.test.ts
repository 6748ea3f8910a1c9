import type { EvalSummary } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { toListedRun } from '../listed-run.ts'
import { modelsToRead } from './models-to-read.ts'
import { toRunAxes } from './run-axes.ts'

const project = { entity: 'acme', project: 'sums', id: 'acme/sums' }
const ref = (name: string, of = 'acme/sums') => `weave:///${of}/object/${name}:v1`
const aRun = (id: string, model: unknown) =>
  toListedRun({
    id,
    op_name: 'Evaluation.evaluate',
    display_name: id,
    started_at: '2026-01-02T03:04:05Z',
    ended_at: '2026-01-02T03:04:15Z',
    inputs: { model },
    output: { model_latency: 2 },
  })
const stats = (scorer_key: string, path: string | null, pass_rate: number | null, numeric_mean: number | null) => ({
  scorer_key,
  path,
  pass_rate,
  numeric_mean,
})
const aSummary = (id: string, scorer_stats: unknown[]) =>
  ({ evaluation_call_id: id, trial_count: 3, scorer_stats, predict_total_tokens: 40, predict_total_cost: null }) as unknown as EvalSummary

const runs = [
  aRun('one', ref('a')),
  aRun('two', ref('b')),
  aRun('three', { temperature: 0.9, name: 'unpublished' }),
  aRun('four', undefined),
]
const models = new Map([
  [
    ref('a'),
    new Map<string, number | string>([
      ['temperature', 0.1],
      ['tools', 'true'],
    ]),
  ],
  [
    ref('b'),
    new Map<string, number | string>([
      ['temperature', 0.5],
      ['tools', 'true'],
    ]),
  ],
])
const summaries = new Map([
  ['one', aSummary('one', [stats('exact', null, 0.5, null), stats('length', 'words', null, 7), stats('text', null, null, null)])],
])

test('runs have the parameters of their models, what was measured and their scores as axes', () => {
  const { rows, offers } = toRunAxes(runs, summaries, models)
  expect(offers.map(({ id }) => id)).toEqual([
    'model.temperature',
    'model.tools',
    'model',
    'run',
    'status',
    'trials',
    'duration',
    'latency',
    'tokens',
    'score.exact',
    'score.length.words',
  ])
  expect(rows.map(({ values }) => values.get('model.temperature'))).toEqual([0.1, 0.5, 0.9, undefined])
  expect(Object.fromEntries(rows[0]?.values ?? [])).toEqual({
    'model.temperature': 0.1,
    'model.tools': 'true',
    model: 'a:v1',
    run: 'one',
    status: 'completed',
    trials: 3,
    duration: 10,
    latency: 2,
    tokens: 40,
    'score.exact': 0.5,
    'score.length.words': 7,
  })
  expect(offers.find(({ id }) => id === 'score.exact')?.text(0.5)).toBe('50%')
  expect(offers.find(({ id }) => id === 'duration')?.text(10)).toBe('10.00 s')
})

test('at first parameters that differ are shown, then what was measured, then scores', () => {
  expect(toRunAxes(runs, summaries, models).usual).toEqual(['model.temperature', 'latency', 'tokens', 'score.exact', 'score.length.words'])
  expect(toRunAxes(runs.slice(0, 1), summaries, models).usual).toEqual(['model', 'latency', 'tokens', 'score.exact', 'score.length.words'])
})

test('no more parameters are offered than a hundred, and those left out are counted', () => {
  const large = (from: number) => Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field ${from + at}`, at]))
  const { offers, parametersLeftOut } = toRunAxes([aRun('one', large(0)), aRun('two', large(60))], new Map(), new Map())
  expect([offers.filter(({ id }) => id.startsWith('model.')).length, parametersLeftOut]).toEqual([100, 60])
})

test('the name of each published model of the project is read once, a hundred at a time', () => {
  expect(modelsToRead(project, [...runs, aRun('five', ref('a')), aRun('six', ref('c', 'acme/other')), aRun('seven', 'text')])).toEqual([
    ['a', 'b'],
  ])
  expect(
    modelsToRead(
      project,
      Array.from({ length: 250 }, (_, at) => aRun(`run ${at}`, ref(`m${at}`))),
    ).map((refs) => refs.length),
  ).toEqual([100, 100, 50])
  expect(modelsToRead(project, [])).toEqual([])
})
