import { expect, test } from 'vitest'
import { buildTree, type TreeCall } from '@heddle/trace-model'
import { usageOfCall } from '../../calls/model-usage.ts'
import { aTraceCall } from '../testing/trace-call.ts'
import { countedUsage, settleUsage, totalUsage, usageBelow } from './usage-of-trace.ts'

const call = (id: string, parentId: string | null = null): TreeCall => ({ id, parentId, startedAt: 0, endedAt: 1 })
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
    { model: 'other', inputTokens: 1, cachedTokens: 0, outputTokens: 0, tokens: 1, cost: null, unpriced: 1 },
  ])
  expect(usageOfCall({ summary: null })).toEqual([])
})

test('what counts adds up along a tree', () => {
  const roots = buildTree([call('root'), call('a', 'root'), call('b', 'root'), call('inner', 'b'), call('silent', 'root')])
  const counted = new Map([
    ['a', [used('m', 1, 0.5)]],
    ['b', [used('n', 20, null)]],
    ['inner', [used('m', 10, 1)]],
  ])
  const totals = totalUsage(roots, counted)
  expect(totals.get('root')).toMatchObject({ tokens: 34, cost: 1.5, unpriced: 1 })
  expect(totals.get('b')).toMatchObject({ tokens: 32, cost: 1, unpriced: 1 })
  expect(totals.get('inner')).toMatchObject({ tokens: 11, cost: 1, unpriced: 0 })
  expect(totals.has('silent')).toBe(false)
  expect(usageBelow(roots[0]!, counted)).toEqual([{ ...used('m', 11, 1.5), outputTokens: 2, tokens: 13 }, used('n', 20, null)])
})

test('an agent that repeats the sum of its model calls does not count, and nested model calls all do', () => {
  const calls = [
    aTraceCall({ id: 'agent', isModelCall: false }),
    aTraceCall({ id: 'l', parentId: 'agent' }),
    aTraceCall({ id: 'm', parentId: 'l' }),
  ]
  const reported = new Map([
    ['agent', [used('m', 30, 3)]],
    ['l', [used('m', 10, 1)]],
    ['m', [used('m', 20, 2)]],
  ])
  expect([...countedUsage(settleUsage(calls, reported), reported).keys()]).toEqual(['l', 'm'])
})

test('of the sum of a tracing client the rest counts, with the rest of its cost', () => {
  const calls = [aTraceCall({ id: 'root', wire: 'client' }), aTraceCall({ id: 'l', parentId: 'root', wire: 'client' })]
  const sum = { ...used('m', 120, 12), outputTokens: 12, tokens: 132 }
  const reported = new Map([
    ['root', [sum]],
    ['l', [{ ...used('m', 100, 10), outputTokens: 10, tokens: 110 }]],
  ])
  const counted = countedUsage(settleUsage(calls, reported), reported)
  expect(counted.get('root')).toEqual([{ ...used('m', 20, 2), outputTokens: 2, tokens: 22 }])
  expect(totalUsage(buildTree(calls), counted).get('root')).toMatchObject({ tokens: 132, cost: 12, unpriced: 0 })
})

test('a trace without usage has no totals, and a chain of 50,000 calls takes no recursion', () => {
  const roots = buildTree(Array.from({ length: 50_000 }, (_, at) => call(String(at), at === 0 ? null : String(at - 1))))
  expect(totalUsage(roots, new Map()).size).toBe(0)
  expect(totalUsage(roots, new Map([['49999', [used('m', 1, 1)]]])).get('0')).toMatchObject({ tokens: 2, cost: 1, unpriced: 0 })
})

test('the rest of a sum has the prices of the sum, whatever the calls below cost', () => {
  const token_prices = { prompt: 1, completion: 2, cache_read_input: 0.1, cache_creation_input: 1 }
  const summaryOf = (cost: number, input: number) => ({
    usage: { m: { prompt_tokens: input, completion_tokens: 10 } },
    weave: { cost_details: { m: { cost, priced_as: 'm', source: 'price', token_prices } } },
  })
  const calls = [aTraceCall({ id: 'root', wire: 'client' }), aTraceCall({ id: 'l', parentId: 'root', wire: 'client' })]
  const reported = new Map([
    ['root', usageOfCall({ summary: summaryOf(140, 120) })],
    ['l', usageOfCall({ summary: summaryOf(999, 100) })],
  ])
  const counted = countedUsage(settleUsage(calls, reported), reported)
  expect(counted.get('root')).toMatchObject([{ inputTokens: 20, cost: 20 }])
})

test('totals say whose prices they have, and how many uses report their cost', () => {
  const roots = buildTree([call('root'), call('a', 'root'), call('b', 'root')])
  const counted = new Map([
    ['a', [{ ...used('openai/m', 1, 0.5), pricedAs: 'm' }]],
    ['b', [{ ...used('n', 1, 0.25), reported: 1 }]],
  ])
  expect(totalUsage(roots, counted).get('root')).toMatchObject({ cost: 0.75, pricedAs: ['m'], reported: 1 })
})
