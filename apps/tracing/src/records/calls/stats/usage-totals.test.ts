import type { QueryExpression } from '@heddle/core-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

const start = '2026-03-01T00:00:00Z'
const end = '2026-03-08T00:00:00Z'
const started_at = '2026-03-02T00:00:00Z'

let app: TestApp
let project_id: string
beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  const price = { prompt_token_cost: 1, completion_token_cost: 10, effective_date: '2026-01-01' }
  await app.client.costs.create({ project_id, costs: { 'priced.v1': price } })
  const usageOf = (model: string, prompt_tokens: number) => ({ usage: { [model]: { prompt_tokens, completion_tokens: 1 } } })
  const [id, trace_id] = [newId(), newId()]
  const op = (version: string) => `weave:///${project_id}/op/answer:${version}`
  const common = { project_id, started_at }
  await record(
    app.client,
    aCall({ ...common, id, trace_id, op_name: op('v1'), thread_id: 't1', summary: usageOf('priced.v1', 100) }),
    aCall({ ...common, parent_id: id, trace_id, op_name: 'inner', thread_id: 't1', summary: usageOf('priced.v1', 100) }),
    aCall({ ...common, op_name: op('v2'), summary: usageOf('unknown', 20) }),
    aCall({ ...common, op_name: 'plain', summary: { usage: { ...usageOf('priced.v1', 3).usage, ...usageOf('unknown', 2).usage } } }),
    aCall({ ...common, op_name: 'plain', started_at: '2026-03-09T00:00:00Z', summary: usageOf('priced.v1', 1_000) }),
    aCall({ ...common, op_name: 'without-usage' }),
  )
})
afterAll(() => app.close())

type Grouping = Parameters<TestApp['client']['calls']['usageTotals']>[0]['group_by']
const totals = (group_by: Grouping, limit = 100) => app.client.calls.usageTotals({ project_id, start, end, group_by, limit })

test('tokens and costs are summed up by model, without what a parent holds already', async () => {
  expect(await totals('model')).toEqual({
    groups: [
      {
        key: 'priced.v1',
        uses: 2,
        input_tokens: 103,
        output_tokens: 2,
        total_tokens: 105,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        cost: 123,
        unpriced_uses: 0,
        priced_as: [],
        reported_uses: 0,
      },
      expect.objectContaining({ key: 'unknown', uses: 2, input_tokens: 22, cost: null, unpriced_uses: 2 }),
    ],
    groups_left_out: 0,
    traces_behind: 0,
  })
})

test('usage is of the op whose call used it, versions of an op are one group, and a cost says what it leaves out', async () => {
  const { groups } = await totals('op')
  expect(groups.map(({ key, input_tokens, cost, unpriced_uses }) => [key, input_tokens, cost, unpriced_uses])).toEqual([
    ['inner', 100, 110, 0],
    [`weave:///${project_id}/op/answer`, 20, null, 1],
    ['plain', 5, 13, 1],
  ])
})

test('calls without a thread are a group without a name', async () => {
  const { groups } = await totals('thread')
  expect(groups.map(({ key, uses }) => [key, uses])).toEqual([
    ['t1', 1],
    [null, 3],
  ])
  expect((await totals('user')).groups).toMatchObject([{ key: expect.any(String), uses: 4 }])
})

test('usage is of the status of the call that used it, by which calls are found', async () => {
  const project = app.newProject()
  const [trace_id, root, child] = [newId(), newId(), newId()]
  const usage = (prompt_tokens: number) => ({ usage: { m: { prompt_tokens, completion_tokens: 0 } } })
  const common = { project_id: project, started_at }
  await record(
    app.client,
    aCall({ ...common, id: root, trace_id, op_name: 'agent', summary: usage(100) }),
    aCall({ ...common, id: child, parent_id: root, trace_id, op_name: 'chat', exception: 'no', summary: usage(70) }),
    aCall({ ...common, op_name: 'chat', summary: usage(5) }),
    aCall({ ...common, op_name: 'chat', exception: 'no', summary: usage(4) }),
    aCall({ ...common, op_name: 'agent', summary: { ...usage(2), status_counts: { error: 1 } } }),
  )
  await app.client.calls.start({ start: { ...common, id: newId(), trace_id: newId(), op_name: 'chat', attributes: {}, inputs: {} } })
  const { groups } = await app.client.calls.usageTotals({ project_id: project, start, end, group_by: 'status', include_calls: true })
  expect(groups.map(({ key, total_tokens, calls }) => [key, total_tokens, calls?.count])).toEqual([
    ['error', 74, 2],
    ['success', 35, 2],
    ['descendant_error', 2, 1],
  ])
  const query = (status: string) => ({ $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: status }] } }) as QueryExpression
  const counts = groups.map(async ({ key }) => (await app.client.calls.queryStats({ project_id: project, query: query(key!) })).count)
  expect(await Promise.all(counts)).toEqual([2, 2, 1])
})

test.each([
  ['UTC', { '2026-10-24': 1, '2026-10-25': 110, '2026-10-26': 1_000 }],
  // A day of 25 hours.
  ['Europe/Berlin', { '2026-10-25': 111, '2026-10-26': 1_000 }],
  ['America/St_Johns', { '2026-10-24': 11, '2026-10-25': 1_100 }],
])('usage is of the day of %s on which its call started', async (timezone, expected) => {
  const project = app.newProject()
  const starts = ['2026-10-24T22:00:00Z', '2026-10-25T01:30:00Z', '2026-10-25T22:59:59Z', '2026-10-26T01:00:00Z']
  const calls = starts.map((at, power) =>
    aCall({ project_id: project, started_at: at, op_name: 'chat', summary: { usage: { m: { prompt_tokens: 10 ** power } } } }),
  )
  await record(app.client, ...calls)
  const range = { project_id: project, start: '2026-10-24T12:00:00Z', end: '2026-10-27T00:00:00Z' }
  const { groups } = await app.client.calls.usageTotals({ ...range, group_by: 'day', timezone, include_calls: true })
  expect(Object.fromEntries(groups.map(({ key, total_tokens }) => [key, total_tokens]))).toEqual(expected)
  expect(groups.reduce((sum, { calls: counted }) => sum + (counted?.count ?? 0), 0)).toBe(starts.length)
})

test('days of a name that is not a time zone are refused, and an empty range has none', async () => {
  const body = { project_id, start, end, group_by: 'day', timezone: 'Mars/Olympus' }
  const refused = await sendRaw(app, { path: '/calls/usage_totals', body })
  expect([refused.status, JSON.stringify(refused)]).toEqual([400, expect.stringContaining('Mars/Olympus')])
  expect((await app.client.calls.usageTotals({ project_id, start, end: start, group_by: 'day' })).groups).toEqual([])
})

test.each([
  ['model', 1],
  ['op', 2],
] as const)('groups by %s beyond the limit are counted', async (group_by, groups_left_out) => {
  expect(await totals(group_by, 1)).toMatchObject({ groups: [{}], groups_left_out })
})

test('a range without usage has no groups', async () => {
  const none = { project_id, start: '2026-02-01', end: '2026-02-02' }
  for (const group_by of ['model', 'op', 'status', 'day'] as const)
    expect(await app.client.calls.usageTotals({ ...none, group_by })).toEqual({ groups: [], groups_left_out: 0, traces_behind: 0 })
})

test('a range of more than 31 days is refused', async () => {
  const body = { project_id, start: '2026-01-01', end: '2026-02-02', group_by: 'op' }
  expect((await sendRaw(app, { path: '/calls/usage_totals', body })).status).toBe(422)
})

test.each([
  [String.raw`summary.usage.priced\.v1`, 4],
  ['summary.usage.unknown', 2],
])('the calls of a model are those that have something at %s', async (path, count) => {
  const query = { $expr: { $not: [{ $eq: [{ $getField: path }, { $literal: '' }] }] } } as QueryExpression
  expect((await app.client.calls.queryStats({ project_id, query })).count).toBe(count)
})
