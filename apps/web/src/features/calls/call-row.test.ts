import type { Call } from '@heddle/core-api/types'
import { parseExactJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { valueAt } from '@heddle/core-api/internal'
import { addPaths, statusOf, toCallRow } from './call-row.ts'
import { maxPaths } from './calls-search.ts'

const call = (fields: Partial<Call> = {}): Call => ({
  id: 'c',
  project_id: 'e/p',
  op_name: 'weave:///e/p/op/chat:abc',
  display_name: null,
  trace_id: 't',
  parent_id: null,
  thread_id: null,
  turn_id: null,
  started_at: '2026-01-02T03:04:05.000Z',
  attributes: {},
  inputs: {},
  ended_at: '2026-01-02T03:04:06.500Z',
  exception: null,
  output: null,
  summary: null,
  wb_user_id: null,
  wb_run_id: null,
  wb_run_step: null,
  wb_run_step_end: null,
  deleted_at: null,
  expire_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
  ...fields,
})

test('a span shows the name it was sent with', () => {
  expect(toCallRow(call({ attributes: { otel_span: { name: 'Chat GPT-4' } } }), []).name).toBe('Chat GPT-4')
})

test.each([
  ['error', { exception: 'x', ended_at: null }],
  ['running', { ended_at: null }],
  ['success', {}],
])('a call shows as %s', (status, fields) => expect(statusOf(call(fields))).toBe(status))

test('a call that runs has no latency', () => {
  expect(toCallRow(call(), []).latencyMs).toBe(1500)
  expect(toCallRow(call({ ended_at: null }), []).latencyMs).toBeNull()
})

test('spans that said nothing have an empty cell, and an empty list is not nothing', () => {
  expect(toCallRow(call({ inputs: {}, output: {} }), [])).toMatchObject({ input: '', output: '' })
  expect(toCallRow(call({ inputs: { question: 1 }, output: [] }), [])).toMatchObject({ input: '{"question":1}', output: '[]' })
})

test('tokens and costs add up over models; unknown values are not 0', () => {
  const usage = { a: { total_tokens: 3 }, b: { prompt_tokens: 4, completion_tokens: 1 } }
  const costs = { a: { prompt_tokens_total_cost: 0.5, completion_tokens_total_cost: 0.25, cache_read_input_tokens_total_cost: 2 }, b: {} }
  expect(toCallRow(call({ summary: { usage, weave: { costs } } }), [])).toMatchObject({ tokens: 8, cost: 2.75 })
  expect(toCallRow(call(), [])).toMatchObject({ tokens: null, cost: null })
})

test('a path finds names with dots, and nothing that an object inherits', () => {
  const value = { attributes: { 'gen_ai.model': 'm', a: { 'b.c': 1 } }, list: [{ x: 2 }] }
  expect(valueAt(value, 'attributes.gen_ai.model')).toBe('m')
  expect(valueAt(value, 'attributes.a.b.c')).toBe(1)
  expect(valueAt(value, 'list.0.x')).toBe(2)
  expect(valueAt(value, 'attributes.toString')).toBeUndefined()
})

test('further columns are in the order of their paths', () => {
  expect(toCallRow(call({ inputs: { a: 1, b: { c: 'x' } } }), ['inputs.b.c', 'inputs.a', 'inputs.none']).further).toEqual(['x', '1', ''])
})

test('thread and user of a call are offered as columns where it has them', () => {
  const paths = new Set<string>()
  addPaths(call({ thread_id: 't', wb_user_id: 'u', turn_id: null }), paths)
  expect([...paths]).toEqual(expect.arrayContaining(['thread_id', 'wb_user_id']))
  expect(paths.has('turn_id')).toBe(false)
  expect(toCallRow(call({ thread_id: 't', wb_user_id: 'u' }), ['wb_user_id', 'thread_id']).further).toEqual(['u', 't'])
})

test('paths that were seen are offered, up to a limit and without the raw span', () => {
  const paths = new Set<string>()
  addPaths(call({ inputs: { a: 1, b: { c: 1 }, list: [{ x: 1 }] }, attributes: { otel_span: { name: 'n' } }, output: 'text' }), paths)
  expect([...paths].filter((path) => path.includes('.'))).toEqual(['inputs.a', 'inputs.b.c', 'inputs.list'])
  addPaths(call({ inputs: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, at])) }), paths)
  expect(paths.size).toBe(maxPaths)
})

test('cells show numbers as they were sent, and tokens are counted in numbers of JavaScript', () => {
  const exact = (text: string) => parseExactJson(text) as Call['inputs']
  const sent = call({
    inputs: exact('{"user":1234567890123456789,"share":1.0}'),
    output: exact('{"list":[1e3]}'),
    summary: exact('{"usage":{"m":{"prompt_tokens":2.0,"completion_tokens":3,"total_tokens":5.0}}}'),
  })
  const row = toCallRow(sent, ['inputs.share', 'summary.usage.m.total_tokens'])
  expect(row).toMatchObject({
    input: '{"user":1234567890123456789,"share":1.0}',
    output: '{"list":[1e3]}',
    tokens: 5,
    further: ['1.0', '5.0'],
  })
  const paths = new Set<string>()
  addPaths(sent, paths)
  expect([...paths].filter((path) => path.startsWith('inputs'))).toEqual(['inputs.user', 'inputs.share'])
})
