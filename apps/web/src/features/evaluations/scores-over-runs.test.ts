import type { EvalSummary } from '@heddle/core-api/types'
import type { EvaluationRun } from '@heddle/evaluations'
import { expect, test } from 'vitest'
import { scoresOverRuns } from './scores-over-runs.ts'

const runs = ['third', 'second', 'first'].map((id) => ({ id, name: id }) as EvaluationRun)
const stats = (scores: Record<string, number>) =>
  ({
    scorer_stats: Object.entries(scores).map(([scorer_key, value]) => ({
      scorer_key,
      path: 'value',
      pass_rate: scorer_key === 'correct' ? value : null,
      pass_true_count: scorer_key === 'correct' ? value * 100 : 0,
      pass_known_count: scorer_key === 'correct' ? 100 : 0,
      numeric_mean: value,
    })),
  }) as unknown as EvalSummary
const summaries = new Map([
  ['first', stats({ correct: 0.5, length: 3 })],
  ['third', stats({ correct: 0.75, length: 4, other: 1 })],
])

test('scores of several runs are series from the oldest run; a run without one is left out, and so is a score of one run', () => {
  expect(scoresOverRuns(runs, summaries, () => false)).toEqual([
    {
      name: 'correct.value',
      isRate: true,
      points: [
        { run: runs[2], value: 0.5 },
        { run: runs[0], value: 0.75 },
      ],
    },
    {
      name: 'length.value',
      isRate: false,
      points: [
        { run: runs[2], value: 3 },
        { run: runs[0], value: 4 },
      ],
    },
  ])
  expect(scoresOverRuns(runs, new Map(), () => true)).toEqual([])
})

test('a rate of single trials has its interval, and a mean of numbers or of several trials has none', () => {
  const [rate, mean] = scoresOverRuns(runs, summaries, ({ id }) => id === 'first')
  expect(rate?.points.map(({ interval }) => interval)).toEqual([
    { low: expect.closeTo(0.404, 3), high: expect.closeTo(0.596, 3) },
    undefined,
  ])
  expect(mean?.points.map(({ interval }) => interval)).toEqual([undefined, undefined])
})
