import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

const range = { start: '2026-03-01T00:00:00Z', end: '2026-03-08T00:00:00Z' }

let app: TestApp
let project_id: string
let large: { id: string; trace_id: string }
let [failed, unpriced, free] = ['', '', '']
beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  const price = { prompt_token_cost: 1, completion_token_cost: 10, cache_read_input_token_cost: 0.5, effective_date: '2026-01-01' }
  await app.client.costs.create({ project_id, costs: { priced: price } })
  const usageOf = (model: string, usage: object) => ({ usage: { [model]: usage } })
  large = { id: newId(), trace_id: newId() }
  ;[failed, unpriced, free] = [newId(), newId(), newId()]
  const at = (second: string) => `2026-03-02T00:00:${second}Z`
  const used = usageOf('priced', { prompt_tokens: 100, completion_tokens: 2, cache_read_input_tokens: 40 })
  const below = { project_id, trace_id: large.trace_id, parent_id: large.id }
  await record(
    app.client,
    // The root holds what the call below it used.
    aCall({ project_id, ...large, started_at: at('00'), ended_at: at('04'), summary: used }),
    aCall({ ...below, started_at: at('01'), ended_at: at('03'), summary: used }),
    aCall({ ...below, started_at: at('02'), ended_at: at('06'), summary: {} }),
    aCall({ project_id, trace_id: failed, started_at: at('10'), ended_at: at('11'), exception: 'no', summary: {} }),
    aCall({ project_id, trace_id: unpriced, started_at: at('20'), ended_at: at('21'), summary: usageOf('other', { prompt_tokens: 7 }) }),
    aCall({ project_id, trace_id: free, started_at: at('30'), ended_at: at('30'), summary: {} }),
    aCall({ project_id, started_at: '2026-03-09T00:00:00Z', ended_at: '2026-03-09T00:00:00Z', exception: 'later' }),
  )
})
afterAll(() => app.close())

const find = async (least: object) =>
  (await app.client.calls.traceTotals({ project_id, ...range, ...least })).traces.map((trace) => trace.trace_id)

test('the calls of a trace are summed up, and tokens that its root holds already count once', async () => {
  const { traces, has_more } = await app.client.calls.traceTotals({ project_id, ...range })
  expect(has_more).toBe(false)
  expect(traces.map(({ trace_id }) => trace_id)).toEqual([free, unpriced, failed, large.trace_id])
  expect(traces.at(-1)).toEqual({
    trace_id: large.trace_id,
    root_call_id: large.id,
    is_parent_missing: false,
    thread_id: null,
    status: 'success',
    started_at: '2026-03-02T00:00:00Z',
    duration_ms: 6_000,
    calls: 3,
    errors: 0,
    tokens: 102,
    cost: 60 + 2 * 10 + 40 * 0.5,
    unpriced_uses: 0,
    is_behind: false,
    reported_uses: 0,
    priced_as: [],
  })
  expect(traces[1]).toMatchObject({ tokens: 7, cost: null, unpriced_uses: 1 })
  expect(traces[2]).toMatchObject({ errors: 1, tokens: null, cost: null, unpriced_uses: 0 })
})

test('its cost is that of its usage in the statistics by model', async () => {
  const { groups } = await app.client.calls.usageTotals({ project_id, ...range, group_by: 'model' })
  const [trace] = (await app.client.calls.traceTotals({ project_id, ...range, min_calls: 3 })).traces
  expect(trace?.cost).toBe(groups.find(({ key }) => key === 'priced')?.cost)
})

test.each([
  [{ min_calls: 2 }, () => [large.trace_id]],
  [{ min_calls: 4 }, () => []],
  [{ min_errors: 1 }, () => [failed]],
  [{ min_tokens: 7 }, () => [unpriced, large.trace_id]],
  [{ min_tokens: 103 }, () => []],
  [{ min_cost: 0 }, () => [large.trace_id]],
  [{ min_cost: 100 }, () => [large.trace_id]],
  [{ min_cost: 100.5 }, () => []],
  [{ min_duration_ms: 1_000 }, () => [unpriced, failed, large.trace_id]],
  [{ min_duration_ms: 1_000.5 }, () => [large.trace_id]],
  [{ min_duration_ms: 1_000, min_errors: 1 }, () => [failed]],
  [{ min_calls: null, min_errors: 0 }, () => [free, unpriced, failed, large.trace_id]],
])('%j keeps the traces that are as large', async (least, traces) => expect(await find(least)).toEqual(traces()))

test('the newest come first, and more than the limit are said', async () => {
  const page = await app.client.calls.traceTotals({ project_id, ...range, limit: 2 })
  expect([page.traces.map(({ trace_id }) => trace_id), page.has_more]).toEqual([[free, unpriced], true])
})

test('a trace is in the range in which it started, with all its calls', async () => {
  const found = async (start: string, end: string) => (await app.client.calls.traceTotals({ project_id, start, end })).traces
  expect(await found('2026-03-02T00:00:00Z', '2026-03-02T00:00:01Z')).toMatchObject([{ trace_id: large.trace_id, calls: 3, tokens: 102 }])
  expect(await found('2026-03-02T00:00:01Z', '2026-03-02T00:00:05Z')).toEqual([])
})

test.each([
  [{ start: '2026-01-01', end: '2026-02-02' }],
  [{ start: '2026-01-02', end: '2026-01-01' }],
  [{ ...range, min_calls: -1 }],
  [{ ...range, limit: 1_001 }],
  [{ ...range, limit: 0 }],
])('%j is refused', async (part) => {
  expect((await sendRaw(app, { path: '/calls/trace_totals', body: { project_id, ...part } })).status).toBe(422)
})
