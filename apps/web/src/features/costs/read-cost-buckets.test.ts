import { expect, test } from 'vitest'
import { readCostBuckets } from './read-cost-buckets.ts'

test('models of one time are added up, and kept apart', () => {
  const at = (timestamp: string, model: string, sum_total_cost: number) => ({
    timestamp,
    model,
    sum_total_cost,
    sum_total_tokens: 11,
  })
  const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
  expect(readCostBuckets({ granularity: 3_600, usage_buckets: [at(first, 'a', 1), at(first, 'b', 2), at(second, 'a', 0)] })).toEqual([
    {
      startedAt: first,
      endedAt: '2026-01-01T01:00:00.000Z',
      tokens: 22,
      cost: 3,
      models: new Map([
        ['a', { tokens: 11, cost: 1 }],
        ['b', { tokens: 11, cost: 2 }],
      ]),
    },
    { startedAt: second, endedAt: '2026-01-01T02:00:00.000Z', tokens: 11, cost: 0, models: new Map([['a', { tokens: 11, cost: 0 }]]) },
  ])
})

test('a value that is not a number counts as 0', () => {
  expect(readCostBuckets({ granularity: 0, usage_buckets: [{ timestamp: 'x' }] })).toEqual([
    { startedAt: 'x', endedAt: 'x', tokens: 0, cost: 0, models: new Map() },
  ])
})
