import { expect, test } from 'vitest'
import type { CostBucket } from './read-cost-buckets.ts'
import { seriesOfModels } from './series-of-models.ts'

const bucket = (models: Record<string, { tokens: number; cost: number }>): CostBucket => ({
  startedAt: '2026-11-20T00:00:00Z',
  endedAt: '2026-11-21T00:00:00Z',
  tokens: Object.values(models).reduce((sum, { tokens }) => sum + tokens, 0),
  cost: Object.values(models).reduce((sum, { cost }) => sum + cost, 0),
  models: new Map(Object.entries(models)),
})
const names = (of: ReturnType<typeof seriesOfModels>) => of.series.map(({ name }) => name)

test('the three models with the most of a measure come first, and all others together', () => {
  const models = {
    a: { tokens: 1, cost: 5 },
    b: { tokens: 2, cost: 4 },
    c: { tokens: 3, cost: 3 },
    d: { tokens: 4, cost: 2 },
    e: { tokens: 5, cost: 1 },
  }
  const buckets = [bucket(models), bucket({ a: { tokens: 1, cost: 1 } })]
  const byCost = seriesOfModels(buckets, 'cost')
  expect(names(byCost)).toEqual(['a', 'b', 'c', '2 more'])
  expect(byCost.values).toEqual([
    [5, 4, 3, 3],
    [1, 0, 0, 0],
  ])
  expect(names(seriesOfModels(buckets, 'tokens'))).toEqual(['e', 'd', 'c', '2 more'])
})

test('a fourth model stands by its own name, and models without any are left out', () => {
  const models = { a: { tokens: 4, cost: 1 }, b: { tokens: 3, cost: 0 }, c: { tokens: 2, cost: 0 }, d: { tokens: 1, cost: 0 } }
  expect(names(seriesOfModels([bucket(models)], 'tokens'))).toEqual(['a', 'b', 'c', 'd'])
  expect(seriesOfModels([bucket(models)], 'cost')).toMatchObject({ values: [[1]] })
  expect(seriesOfModels([], 'cost')).toEqual({ series: [], values: [] })
})
