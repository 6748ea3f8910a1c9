import { expect, test } from 'vitest'
import type { UsageNode } from '../calls-store.ts'
import { rollUpUsage } from './roll-up-usage.ts'
import { usageOf } from '../../../payload/usage-counts.ts'

const aCall = (id: string, parent_id: string, usage?: object): UsageNode => ({
  id,
  parent_id,
  ended: true,
  started_at: 1,
  usage: usageOf(JSON.stringify(usage === undefined ? {} : { usage })),
  uses: [],
})
const totals = (calls: UsageNode[]) => {
  const entries = [...rollUpUsage(calls).byCall].map(([id, models]) => [
    id,
    Object.fromEntries([...models].map(([model, usage]) => [model, usage.total_tokens])),
  ])
  return Object.fromEntries(entries) as Record<string, Record<string, number>>
}

test('usage goes up to every ancestor, whatever the order of the calls', () => {
  const calls = [aCall('c', 'b', { m: { total_tokens: 1 } }), aCall('a', ''), aCall('b', 'a', { m: { total_tokens: 10 } })]
  expect(totals(calls)).toEqual({ a: { m: 11 }, b: { m: 11 }, c: { m: 1 } })
})

test('a parent outside the selection gets nothing', () => {
  expect(totals([aCall('b', 'a', { m: { total_tokens: 1 } })])).toEqual({ b: { m: 1 } })
})

test('a missing total is prompt plus completion, in either spelling', () => {
  const usage = { m: { prompt_tokens: 1, input_tokens: 2, completion_tokens: 3, output_tokens: 4 } }
  expect(totals([aCall('a', '', usage)])).toEqual({ a: { m: 10 } })
})

test('a model that counted nothing is left out', () => {
  expect(totals([aCall('a', '', { m: { prompt_tokens: 0 }, n: {} })])).toEqual({ a: {} })
})

test('calls that are each other’s parents end the way up', () => {
  const calls = [aCall('a', 'b', { m: { total_tokens: 1 } }), aCall('b', 'a'), aCall('c', 'c', { m: { total_tokens: 5 } })]
  expect(totals(calls)).toEqual({ a: { m: 1 }, b: {}, c: { m: 5 } })
})

test('calls without an end are named in order', () => {
  expect(rollUpUsage([{ ...aCall('b', ''), ended: false }, { ...aCall('a', ''), ended: false }, aCall('c', '')]).unfinished).toEqual([
    'a',
    'b',
  ])
})
