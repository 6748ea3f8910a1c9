import { expect, test } from 'vitest'
import type { LoggedJob } from '../../resources/training-jobs/metric-runs-store.ts'
import { chooseSteps, maxRows, type RowRange, toRunRow } from './run-history.ts'

const aJob = (id: string, steps: number): LoggedJob => ({ id, status: 'succeeded', targetStep: 1, createdAt: 0, endedAt: 1, steps })
const jobs = [aJob('a', 3), aJob('empty', 0), aJob('b', 4)]
const choose = (range: Partial<RowRange>) =>
  Object.fromEntries(chooseSteps(jobs, { first: 0, end: Infinity, samples: 100, ...range }).map(({ job, numbers }) => [job.id, numbers]))

test.each<[string, Partial<RowRange>, object]>([
  ['all', {}, { a: [1, 2, 3], b: [1, 2, 3, 4] }],
  ['a range over two jobs', { first: 2, end: 5 }, { a: [3], b: [1, 2] }],
  ['the first and the last of a sample', { samples: 3 }, { a: [1], b: [1, 4] }],
  ['one of a sample', { samples: 1 }, { a: [1] }],
  ['none of a sample', { samples: 0 }, {}],
  ['none beyond the end', { first: 7 }, {}],
  ['none of an empty range', { first: 5, end: 2 }, {}],
  ['those from the first, where it is negative', { first: -4, end: 1 }, { a: [1] }],
])('of the rows of a run, %s', (_, range, expected) => {
  expect(choose(range)).toEqual(expected)
})

test('a document has ten thousand rows at most, evenly from all', () => {
  const [chosen] = chooseSteps([aJob('long', 100_000)], { first: 0, end: Infinity, samples: Infinity })
  expect(chosen!.numbers).toHaveLength(maxRows)
  expect([chosen!.numbers[0], chosen!.numbers.at(-1)]).toEqual([1, 100_000])
})

test('a row has its place in the run, its time in seconds, and the metrics over the gradient step of its job', () => {
  const step = { number: 2, metrics: { loss: 0.5, gradient_step: 2 }, at: 1_500_000 }
  const row = { _step: 4, _timestamp: 1.5, training_step: 1, 'sft/loss': 0.5, 'sft/gradient_step': 2 }
  expect(toRunRow(step, { job: jobs[0]!, first: 3 })).toEqual(row)
  const { training_step: _, ...unnamed } = row
  expect(toRunRow(step, { job: { ...jobs[0]!, targetStep: null }, first: 3 })).toEqual(unnamed)
})
