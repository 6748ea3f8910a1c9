import { expect, test } from 'vitest'
import type { RecordedNode } from './read-node.ts'
import { settleCalls } from './settle-calls.ts'

const started_at = '2026-01-01T00:00:00Z'
const ended_at = '2026-01-01T00:00:01Z'
const used = (input: number, cost?: number) => ({
  usage: { m: { input_tokens: input, output_tokens: 1, total_tokens: input + 1 } },
  ...(cost !== undefined && { weave: { costs: { m: { prompt_tokens_total_cost: cost } } } }),
})
const span = (id: string, call: Partial<RecordedNode>): RecordedNode => ({ id, started_at, ended_at, wire: 'otlp', ...call })

test('calls have what counts at and below them, in tokens and cost', () => {
  const calls = [
    span('a', { summary: used(99, 9) }),
    span('l', { parent_id: 'a', is_model_call: true, summary: used(10, 1) }),
    span('n', { parent_id: 'a', is_model_call: true, summary: used(20) }),
    span('t', { parent_id: 'a', exception: 'failed' }),
  ]
  const { totals, trace, roots } = settleCalls(calls)
  expect(Object.fromEntries(totals)).toMatchObject({
    a: { tokens: 32, cost: 1 },
    l: { tokens: 11, cost: 1 },
    n: { tokens: 21, cost: null },
  })
  expect(trace).toMatchObject({ rootId: 'a', status: 'descendant_error' })
  expect(roots.map(({ call }) => call.call)).toEqual([calls[0]])
})

test('calls of which it was not read how they were sent are taken as those of a tracing client', () => {
  const calls = [
    { id: 'r', started_at, ended_at, summary: used(10, 1) },
    { id: 'c', parent_id: 'r', started_at, summary: used(10, 1) },
  ]
  expect(Object.fromEntries(settleCalls(calls).totals)).toMatchObject({ r: { tokens: 11, cost: 1 }, c: { tokens: 11, cost: 1 } })
})

test('a total alone has no cost, also where a server says that it cost 0', () => {
  const summary = {
    usage: { m: { total_tokens: 9 } },
    weave: { costs: { m: { prompt_tokens_total_cost: 0, completion_tokens_total_cost: 0 } } },
  }
  expect(settleCalls([span('l', { is_model_call: true, summary })]).totals.get('l')).toMatchObject({ tokens: 9, cost: null })
})

test('what a client adds up leaves out totals alone below it: the rest is what it has of its own', () => {
  const parts = (input: number) => ({ usage: { m: { prompt_tokens: input, completion_tokens: 1, total_tokens: input + 1 } } })
  const calls = [
    { id: 'r', started_at, ended_at, summary: { usage: { m: { prompt_tokens: 15, completion_tokens: 2, total_tokens: 26 } } } },
    { id: 'a', parent_id: 'r', started_at, ended_at, summary: { usage: { m: { total_tokens: 9 } } } },
    { id: 'b', parent_id: 'r', started_at, ended_at, summary: parts(10) },
  ]
  expect(settleCalls(calls).totals.get('r')).toMatchObject({ tokens: 26 })
})

test('no calls make no trace', () => expect(settleCalls([])).toMatchObject({ roots: [], trace: undefined }))
