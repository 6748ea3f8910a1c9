import type { EvalSummary } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import type { ListedRun } from '../listed-run.ts'
import { drawnEvaluation, trendFacts } from './trend-of-runs.ts'

const run = (id: string, name: string, status: ListedRun['status'] = 'completed') => ({ id, name, status, evaluation: null }) as ListedRun
const point = (id: string, value: number) => ({ run: run(id, id), value, interval: undefined })
const costs = (of: Record<string, number | null>) =>
  new Map(Object.entries(of).map(([id, predict_total_cost]) => [id, { predict_total_cost } as EvalSummary]))

test('the scores of the evaluation that last had a result are drawn, where it has had two', () => {
  const runs = [run('5', 'new', 'running'), run('4', 'answers'), run('3', 'other'), run('2', 'answers'), run('1', 'other')]
  expect(drawnEvaluation(runs)).toBe('answers')
  expect(drawnEvaluation(runs.slice(2, 4))).toBeUndefined()
  expect(drawnEvaluation([run('2', 'answers'), run('1', 'answers', 'failed')])).toBeUndefined()
  expect(drawnEvaluation([])).toBeUndefined()
})

test('the facts of a score are its best and its latest value, and what its runs cost', () => {
  const series = { name: 'correct', isRate: true, points: [point('a', 0.5), point('b', 0.75), point('c', 0.75), point('d', 0.5)] }
  expect(trendFacts(series, costs({ a: 1, b: 0.5, c: null, other: 7 }))).toMatchObject({
    best: { run: { id: 'c' } },
    latest: { run: { id: 'd' } },
    change: -0.25,
    spent: 1.5,
  })
  expect(trendFacts({ ...series, points: [point('a', 0.5)] }, costs({ a: null }))).toMatchObject({ change: 0, spent: undefined })
  expect(trendFacts({ ...series, points: [] }, new Map())).toBeUndefined()
})
