import { expect, test } from 'vitest'
import { buildTree, type TreeCall } from '../build-tree.ts'
import { usageOfCall } from '../../calls/model-usage.ts'
import { totalUsage, usageBelow } from './usage-of-trace.ts'

const call = (id: string, parentId: string | null = null): TreeCall => ({ id, parentId, startedMs: 0, endedMs: 1 })
const used = (model: string, inputTokens: number, cost: number | null) => ({
  model,
  inputTokens,
  cachedTokens: 0,
  outputTokens: 1,
  tokens: inputTokens + 1,
  cost,
  unpriced: cost === null ? 1 : 0,
})

test('the summary of a call gives tokens and costs by model, and a missing price is not a cost of 0', () => {
  const usage = {
    priced: { prompt_tokens: 0, input_tokens: 7, completion_tokens: 2, cache_read_input_tokens: 3 },
    other: { prompt_tokens: 1, total_tokens: 4 },
  }
  const costs = { priced: { prompt_tokens_total_cost: 0.5, cache_read_input_tokens_total_cost: 0.25 } }
  expect(usageOfCall({ summary: { usage, weave: { costs } } })).toEqual([
    { model: 'priced', inputTokens: 7, cachedTokens: 3, outputTokens: 2, tokens: 9, cost: 0.75, unpriced: 0 },
    { model: 'other', inputTokens: 1, cachedTokens: 0, outputTokens: 0, tokens: 4, cost: null, unpriced: 1 },
  ])
  expect(usageOfCall({ summary: null })).toEqual([])
})

test('usage adds up along a tree, and what a call says of itself is not counted again below it', () => {
  const roots = buildTree([call('root'), call('a', 'root'), call('b', 'root'), call('inner', 'b'), call('silent', 'root')])
  const usage = new Map([
    ['a', [used('m', 1, 0.5)]],
    ['b', [used('m', 10, 1), used('n', 20, null)]],
    ['inner', [used('m', 10, 1)]],
  ])
  const totals = totalUsage(roots, usage)
  expect(totals.get('root')).toEqual({ tokens: 34, cost: 1.5, unpriced: 1 })
  expect(totals.get('b')).toEqual({ tokens: 32, cost: 1, unpriced: 1 })
  expect(totals.get('inner')).toEqual({ tokens: 11, cost: 1, unpriced: 0 })
  expect(totals.has('silent')).toBe(false)
  expect(usageBelow(roots[0]!, usage)).toEqual([{ ...used('m', 11, 1.5), outputTokens: 2, tokens: 13 }, used('n', 20, null)])
})

test('a trace without usage has no totals, and a chain of 50,000 calls takes no recursion', () => {
  const roots = buildTree(Array.from({ length: 50_000 }, (_, at) => call(String(at), at === 0 ? null : String(at - 1))))
  expect(totalUsage(roots, new Map()).size).toBe(0)
  expect(totalUsage(roots, new Map([['49999', [used('m', 1, 1)]]])).get('0')).toEqual({ tokens: 2, cost: 1, unpriced: 0 })
})
