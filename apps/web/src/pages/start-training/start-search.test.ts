import { expect, test } from 'vitest'
import { startSearch } from './start-search.ts'

test('what an address says of a job to start is read, and what is invalid is left out', () => {
  const where = [{ path: 'op_name', operator: '=', value: 'answer' }]
  const valid = { where, model: 'id', group: 'prompt', reward: 'feedback', traces: 20, failed: 'keep', logprobs: 'without', rate: '0.001' }
  expect(startSearch(valid)).toMatchObject(valid)
  const nothing = Object.values(startSearch({ where: 'all', traces: -1, failed: 'yes', logprobs: 1, group: '' }))
  expect(nothing.filter((value) => value !== undefined)).toEqual([])
  expect(startSearch({ traces: 1e6 }).traces).toBe(10_000)
})
