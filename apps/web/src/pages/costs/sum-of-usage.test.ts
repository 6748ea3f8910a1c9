import type { UsageTotal } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { sumOfUsage, unpricedOf } from './sum-of-usage.ts'

const group = (part: Partial<UsageTotal>): UsageTotal => ({
  key: 'a',
  uses: 2,
  input_tokens: 10,
  output_tokens: 3,
  total_tokens: 15,
  cache_read_input_tokens: 4,
  cache_creation_input_tokens: 0,
  cost: 1,
  unpriced_uses: 0,
  reported_uses: 0,
  priced_as: [],
  ...part,
})

test('groups are added up, and uses without a price count as uses and not as cost', () => {
  expect(sumOfUsage([group({}), group({ cost: null, unpriced_uses: 2 })])).toEqual({
    uses: 4,
    input: 20,
    cached: 8,
    output: 6,
    tokens: 30,
    cost: 1,
    priced: 2,
  })
})

test('a cost of which nothing is known is null, and one of 0 is 0', () => {
  expect(sumOfUsage([]).cost).toBeNull()
  expect(sumOfUsage([group({ cost: null })]).cost).toBeNull()
  expect(sumOfUsage([group({ cost: 0 })]).cost).toBe(0)
})

test('models without a price are named, those with the most such uses first', () => {
  expect(unpricedOf([group({}), group({ key: 'b', unpriced_uses: 1 }), group({ key: null, unpriced_uses: 2 })])).toEqual({
    uses: 3,
    models: ['no model', 'b'],
  })
})
