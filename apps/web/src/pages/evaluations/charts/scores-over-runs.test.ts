import type { EvalSummary } from '@heddle/core-api'
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
      numeric_mean: value,
    })),
  }) as unknown as EvalSummary

test('scores of several runs are series from the oldest run; a run without one is left out, and so is a score of one run', () => {
  const summaries = new Map([
    ['first', stats({ correct: 0.5, length: 3 })],
    ['third', stats({ correct: 0.75, other: 1 })],
  ])
  expect(scoresOverRuns(runs, summaries)).toEqual([
    {
      name: 'correct.value',
      isRate: true,
      points: [
        { run: runs[2], value: 0.5 },
        { run: runs[0], value: 0.75 },
      ],
    },
  ])
  expect(scoresOverRuns(runs, new Map())).toEqual([])
})
