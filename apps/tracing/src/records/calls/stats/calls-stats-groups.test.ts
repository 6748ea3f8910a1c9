import type { QueryExpression } from '@heddle/core-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

const range = { start: '2026-03-02T00:00:00Z', end: '2026-03-02T02:00:00Z', granularity: 3_600 }
const [first, second] = ['2026-03-02T00:00:00Z', '2026-03-02T01:00:00Z']
const call_metrics = [{ metric: 'call_count' as const }, { metric: 'latency_ms' as const, aggregations: [], percentiles: [50] }]
const usage_metrics = [{ metric: 'input_tokens' as const }, { metric: 'total_cost' as const }]

let app: TestApp
let project_id: string
beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  const price = { prompt_token_cost: 1, completion_token_cost: 0, effective_date: '2026-01-01' }
  await app.client.costs.create({ project_id, costs: { small: price } })
  const op = (version: string) => `weave:///${project_id}/op/answer:${version}`
  const usage = (prompt_tokens: number) => ({ usage: { small: { prompt_tokens } } })
  const call = (fields: object) => aCall({ project_id, started_at: first, ended_at: '2026-03-02T00:00:02Z', ...fields })
  const root = { id: newId(), trace_id: newId() }
  await record(
    app.client,
    call({ ...root, op_name: op('v1'), thread_id: 't1', inputs: { city: 'Oslo' }, summary: usage(1) }),
    call({ op_name: op('v2'), inputs: { city: 'Rome' }, summary: usage(2) }),
    call({ op_name: 'plain', started_at: second, ended_at: '2026-03-02T01:00:05Z', inputs: { city: 'Oslo' }, summary: usage(100) }),
    call({ op_name: 'inner', parent_id: root.id, trace_id: root.trace_id, inputs: { city: 'Oslo' }, summary: {} }),
  )
})
afterAll(() => app.close())

const stats = (request: Partial<Parameters<TestApp['client']['calls']['stats']>[0]>) =>
  app.client.calls.stats({ project_id, ...range, ...request })
const cityIs = (city: string): QueryExpression => ({ $expr: { $eq: [{ $getField: 'inputs.city' }, { $literal: city }] } })
const countsOf = ({ call_buckets }: Awaited<ReturnType<typeof stats>>) =>
  call_buckets.map(({ timestamp, group, sum_call_count }) => [timestamp, group, sum_call_count])

test('a query selects the calls that count, beside the filter', async () => {
  const filter = { trace_roots_only: true }
  expect(countsOf(await stats({ call_metrics, query: cityIs('Oslo') }))).toEqual([
    [first, undefined, 2],
    [second, undefined, 1],
  ])
  expect(countsOf(await stats({ call_metrics, filter, query: cityIs('Oslo') })).map(([, , count]) => count)).toEqual([1, 1])
  const { usage_buckets } = await stats({ usage_metrics, query: cityIs('Rome') })
  expect(usage_buckets).toMatchObject([
    { timestamp: first, sum_input_tokens: 2, sum_total_cost: 2 },
    { timestamp: second, sum_input_tokens: 0, sum_total_cost: 0 },
  ])
})

test('a query that the language does not allow is refused, whatever the metrics', async () => {
  const query = { $expr: { $eq: [{ $getField: 'no_such_field' }, { $literal: 1 }] } }
  for (const metrics of [{ call_metrics }, { usage_metrics }, { call_metrics, group_by: 'op' }]) {
    expect((await sendRaw(app, { path: '/calls/stats', body: { project_id, ...range, query, ...metrics } })).status).toBe(422)
  }
})

test('each bucket is split by op, all of its versions as one, the most frequent first', async () => {
  const answer = await stats({ call_metrics, group_by: 'op' })
  const answered = `weave:///${project_id}/op/answer`
  expect(countsOf(answer)).toEqual([
    [first, answered, 2],
    [first, 'inner', 1],
    [first, 'plain', 0],
    [second, answered, 0],
    [second, 'inner', 0],
    [second, 'plain', 1],
  ])
  expect(answer.call_buckets.at(-1)).toMatchObject({ p50_latency_ms: 5_000 })
  expect(answer.groups_left_out).toBe(0)
})

test('groups beyond the limit are counted: those with fewer calls, or fewer tokens where only usage is requested', async () => {
  const byCalls = await stats({ call_metrics, usage_metrics, group_by: 'op', group_limit: 1 })
  expect(new Set(byCalls.call_buckets.map(({ group }) => group))).toEqual(new Set([`weave:///${project_id}/op/answer`]))
  expect(byCalls.groups_left_out).toBe(2)
  const byTokens = await stats({ usage_metrics, group_by: 'op', group_limit: 1 })
  expect(byTokens.usage_buckets).toMatchObject([
    { timestamp: first, group: 'plain', model: 'small', sum_input_tokens: 0 },
    { timestamp: second, group: 'plain', model: 'small', sum_input_tokens: 100, sum_total_cost: 100 },
  ])
  expect(byTokens.groups_left_out).toBe(1)
})

test('calls without a thread are a group of their own, and groups are those of the query', async () => {
  const byThread = await stats({ call_metrics, group_by: 'thread', query: cityIs('Oslo') })
  expect(countsOf(byThread)).toEqual([
    [first, null, 1],
    [first, 't1', 1],
    [second, null, 1],
    [second, 't1', 0],
  ])
})

test('by model, a call counts once for each model that it used, and one that used none is in a group of its own', async () => {
  const own = app.newProject()
  const call = (seconds: number, usage: object, fields = {}) =>
    aCall({ project_id: own, started_at: first, ended_at: `2026-03-02T00:00:0${seconds}Z`, summary: { usage }, ...fields })
  await record(
    app.client,
    call(2, { 'm.large': { prompt_tokens: 5 }, small: { prompt_tokens: 1 } }),
    call(4, { 'm.large': { prompt_tokens: 7 } }, { inputs: { city: 'Oslo' }, exception: 'no answer' }),
    call(1, {}, { started_at: second, ended_at: '2026-03-02T01:00:01Z' }),
  )
  const request = { project_id: own, call_metrics: [...call_metrics, { metric: 'error_count' as const }], group_by: 'model' as const }
  expect((await stats({ ...request, end: second })).call_buckets).toMatchObject([
    { group: 'm.large', sum_call_count: 2, sum_error_count: 1, p50_latency_ms: 3_000 },
    { group: 'small', sum_call_count: 1, sum_error_count: 0, p50_latency_ms: 2_000 },
  ])
  expect(countsOf(await stats(request)).slice(3)).toEqual([
    [second, 'm.large', 0],
    [second, null, 1],
    [second, 'small', 0],
  ])
  expect(countsOf(await stats({ ...request, end: second, query: cityIs('Oslo') }))).toEqual([[first, 'm.large', 1]])
  expect(await stats({ ...request, end: second, group_limit: 1 })).toMatchObject({
    groups_left_out: 1,
    call_buckets: [{ group: 'm.large' }],
  })
})

test('by model, each group of usage has the one bucket of its model, the model with the most tokens first', async () => {
  const own = app.newProject()
  const summary = { usage: { a: { prompt_tokens: 1 }, b: { prompt_tokens: 2, completion_tokens: 3 } } }
  await record(app.client, aCall({ project_id: own, started_at: first, summary }), aCall({ project_id: own, started_at: first }))
  const request = { project_id: own, group_by: 'model' as const, end: second }
  const buckets = [
    { group: 'b', model: 'b', sum_input_tokens: 2, count: 1 },
    { group: 'a', model: 'a', sum_input_tokens: 1, count: 1 },
  ]
  expect((await stats({ ...request, usage_metrics })).usage_buckets).toMatchObject(buckets)
  const both = await stats({ ...request, usage_metrics, call_metrics })
  expect(both.usage_buckets).toHaveLength(2)
  expect(both.call_buckets.map(({ group }) => group)).toEqual([null, 'a', 'b'])
})

test('a range without calls has no groups', async () => {
  const nobody = { project_id: app.newProject(), group_by: 'user' as const }
  expect(await stats({ ...nobody, call_metrics, usage_metrics })).toMatchObject({ call_buckets: [], usage_buckets: [], groups_left_out: 0 })
  expect(await stats(nobody)).toMatchObject({ granularity: 0, call_buckets: [] })
})

test('names of groups may hold anything', async () => {
  const own = app.newProject()
  const names = ['op \0\u0001\u001b[31m', 'op "; DROP TABLE calls; --', 'op \uD800 half', `op ${'x'.repeat(125)}`]
  await record(app.client, ...names.map((op_name) => aCall({ project_id: own, started_at: first, op_name })))
  const { call_buckets } = await stats({ project_id: own, call_metrics, group_by: 'op', end: second })
  expect(call_buckets.map(({ sum_call_count }) => sum_call_count)).toEqual([1, 1, 1, 1])
  expect(call_buckets.map(({ group }) => group)).toContain(names[0])
})
