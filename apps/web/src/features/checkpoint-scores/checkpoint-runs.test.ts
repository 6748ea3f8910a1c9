import type { EvalSummary } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { type CheckpointRun, evaluationOf, scoresOfCheckpoints } from './checkpoint-runs.ts'

const run = (id: string, step: number, evaluation = 'weather', status = 'completed') =>
  ({ id, step, evaluation, status, name: id }) as CheckpointRun
const summary = (value: number) => ({ scorer_stats: [{ scorer_key: 'exact', path: null, pass_rate: value, numeric_mean: null }] })
const summaries = (values: Record<string, number>) =>
  new Map(Object.entries(values).map(([id, value]) => [id, summary(value) as unknown as EvalSummary]))

test('scores go over the steps of one evaluation, whatever the order of its runs; of two runs on a step the newest counts', () => {
  const runs = [
    run('again', 2),
    run('first', 0),
    run('middle', 1),
    run('older', 2),
    run('other', 0, 'sums'),
    run('open', 3, 'weather', 'running'),
  ]
  const [weather, ...others] = scoresOfCheckpoints(
    runs,
    summaries({ again: 0.9, first: 0.2, middle: 0.5, older: 0.1, other: 1, open: 1 }),
    new Set(),
  )
  expect(weather?.series.map(({ points }) => points.map((point) => [point.run.step, point.value]))).toEqual([
    [
      [0, 0.2],
      [1, 0.5],
      [2, 0.9],
    ],
  ])
  expect([weather?.evaluation, others]).toEqual(['weather', []])
})

test('the evaluation of a run is named without its version', () => {
  expect(evaluationOf({ self: `weave:///e/p/object/weather:${'d'.repeat(43)}` })).toBe('weather')
  expect(evaluationOf({ self: 'weather' })).toBe('')
})
