import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, aStart, findCalls, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { aCostRow } from '../../costs/testing/a-cost-row.ts'

type CostInput = Parameters<TestApp['client']['costs']['create']>[0]['costs'][string]

interface Usage {
  [model: string]: Record<string, number | null>
}

interface UsageCase {
  request: { filter?: object; call_ids?: string[]; include_costs: boolean }
  response: { call_usage: Record<string, Usage>; unfinished_call_ids: string[] }
}

interface Vectors {
  automatic_granularity: { range_seconds: number; automatic_granularity: number }[]
  derived_summary: {
    name: string
    summary: Record<string, unknown>
    op_name: string
    started_at: string
    ended_at: string | null
    exception: string | null
    display_name: string | null
    result: unknown
  }[]
  costs: {
    calls: Record<string, unknown>[]
    prices: ({ model: string } & CostInput)[]
    summary_weave_costs: Record<string, Record<string, Record<string, unknown>> | null>
  }
  trace_usage: UsageCase[]
  calls_usage: UsageCase[]
  calls_query_stats: { cases: { request: { limit?: number }; response: object }[] }
  call_stats_one_bucket: { request: object; usage_buckets: Record<string, unknown>[]; call_buckets: Record<string, unknown>[] }
  call_stats_cost_metrics: {
    cases: { requested: string[]; bucket_before: Record<string, unknown>; bucket_after: Record<string, number | string> }[]
    added_token_metrics: { requested: string[]; token_metrics: { metric: string }[] }[]
  }
}

const vectors = JSON.parse(readFileSync(new URL('../../../vectors/stats-vectors.json', import.meta.url), 'utf8')) as Vectors

let app: TestApp
/** The recorded calls without a price, and with the recorded prices. */
let project_id: string
let priced: string
beforeAll(async () => {
  app = await startTestApp()
  project_id = await recordedCalls()
  priced = await recordedCalls()
  for (const { model, ...price } of vectors.costs.prices) await app.client.costs.create({ project_id: priced, costs: { [model]: price } })
})
afterAll(() => app.close())

const post = (path: string, body: unknown) => sendRaw(app, { path, body })

/** A project with the recorded calls. */
async function recordedCalls(): Promise<string> {
  const project = app.newProject()
  const halves = vectors.costs.calls.flatMap((call) => {
    const record = { ...call, project_id: project }
    const start = { mode: 'start', req: { start: record } }
    return 'ended_at' in call ? [start, { mode: 'end', req: { end: record } }] : [start]
  })
  expect((await post('/call/upsert_batch', { batch: halves })).status).toBe(200)
  return project
}

const idOf = (label: string) => `00000000-0000-7000-8000-00000000000${label.slice(1)}`

/** A recorded answer with labels replaced by ids. */
function withIds({ response }: UsageCase): UsageCase['response'] {
  return {
    call_usage: Object.fromEntries(Object.entries(response.call_usage).map(([label, usage]) => [idOf(label), usage])),
    unfinished_call_ids: response.unfinished_call_ids.map(idOf),
  }
}

describe('query_stats (8)', () => {
  // A limit of 0 is 200 over HTTP, whatever was recorded of the functions behind it.
  const cases = vectors.calls_query_stats.cases.filter(({ request }) => request.limit !== 0)

  test.each(cases.map(({ request, response }) => [request, response] as const))('%j counts as recorded', async (request, response) => {
    expect((await post('/calls/query_stats', { project_id, ...request })).body).toEqual({ ...response, total_storage_size_bytes: null })
  })

  test('a limit of 0 counts nothing, a negative one is 400', async () => {
    expect(await post('/calls/query_stats', { project_id, limit: 0 })).toMatchObject({ status: 200, body: { count: 0 } })
    const refused = await post('/calls/query_stats', { project_id, limit: -1 })
    expect(refused).toMatchObject({ status: 400, body: { reason: 'Limit must be a positive integer' } })
  })

  test('a project without calls has none', async () => {
    const answer = await post('/calls/query_stats', { project_id: app.newProject(), limit: 1 })
    expect(answer.body).toEqual({ count: 0, has_more: false, total_storage_size_bytes: null })
  })

  test('storage is that of the traces of the matching roots', async () => {
    const project = app.newProject()
    const [trace_id, root] = [newId(), newId()]
    const inTrace = [
      aCall({ project_id: project, id: root, trace_id, inputs: { a: 1 } }),
      aCall({ project_id: project, trace_id, parent_id: root }),
    ]
    await record(app.client, ...inTrace, aCall({ project_id: project, parent_id: newId() }))
    const ask = { project_id: project, include_total_storage_size: true }
    const bytes = ['{}', '{"a":1}', 'null', '{}', '{}', '{}', 'null', '{}'].join('').length
    expect(await app.client.calls.queryStats(ask)).toEqual({ count: 3, has_more: false, total_storage_size_bytes: bytes })
    const none = await app.client.calls.queryStats({ ...ask, filter: { call_ids: [newId()] } })
    expect(none).toEqual({ count: 0, has_more: false, total_storage_size_bytes: 0 })
  })
})

describe('stats (8)', () => {
  const range = { start: '2026-03-01T00:00:00Z', end: '2026-03-01T03:00:00Z' }
  const stats = async (request: object) => (await post('/calls/stats', { project_id, ...request })).body as Record<string, unknown>

  test('one bucket holds the recorded stats, and how many there were', async () => {
    const { request, usage_buckets, call_buckets } = vectors.call_stats_one_bucket
    const answer = await stats(request)
    const timestamp = '2026-03-01T00:00:00Z'
    expect(answer).toEqual({
      start: timestamp,
      end: '2026-03-01T01:00:00Z',
      granularity: 3600,
      timezone: 'UTC',
      usage_buckets: usage_buckets.map((bucket) => ({ ...bucket, timestamp, count: 1 })),
      call_buckets: call_buckets.map((bucket) => ({ ...bucket, timestamp, count: 4 })),
    })
  })

  test.each([
    ['end before start', { start: '2026-03-02', end: '2026-03-01' }, 'CallStatsReq end must be after start'],
    ['more than 31 days', { start: '2026-03-01', end: '2026-04-01T00:00:01Z' }, 'CallStatsReq date range cannot exceed 31 days'],
  ])('%s is 422', async (_, request, message) => {
    const answer = await post('/calls/stats', { project_id, ...request })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ msg: expect.stringContaining(message) }] } })
  })

  test.each([
    ['granularity', { granularity: 0 }],
    ['timezone', { timezone: 'Mars/Base' }],
    ['percentile', { call_metrics: [{ metric: 'latency_ms', percentiles: [101] }] }],
    ['percentile', { usage_metrics: [{ metric: 'total_tokens', percentiles: [-1] }] }],
  ])('a %s that cannot be is 400', async (name, request) => {
    const answer = await post('/calls/stats', { project_id, ...range, ...request })
    expect(answer).toMatchObject({ status: 400, body: { reason: expect.stringContaining(name) } })
  })

  test('an unknown metric or aggregation is 422', async () => {
    for (const metric of [{ metric: 'call_cost' }, { metric: 'latency_ms', aggregations: ['median'] }]) {
      expect((await post('/calls/stats', { project_id, ...range, call_metrics: [metric] })).status).toBe(422)
    }
  })

  test('without a metric there are no buckets and the granularity is 0', async () => {
    expect(await stats(range)).toMatchObject({ granularity: 0, usage_buckets: [], call_buckets: [] })
  })

  test.each(vectors.automatic_granularity.map((row) => [row.range_seconds, row.automatic_granularity]))(
    'a range of %d s has buckets of %d s',
    async (seconds, granularity) => {
      const start = Date.UTC(2026, 1, 1) / 1000
      const answer = await stats({ start, end: start + seconds, call_metrics: [{ metric: 'call_count' }] })
      expect(answer).toMatchObject({ granularity })
    },
  )

  test('every bucket is there: empty ones with 0 for sums and counts and null for the rest', async () => {
    const call_metrics = [
      { metric: 'latency_ms', aggregations: ['sum', 'avg', 'min', 'max', 'count', 'count_true'], percentiles: [50, 99.9] },
    ]
    const { call_buckets } = await stats({ ...range, granularity: 3600, call_metrics })
    const bucketStats = (sum: number, avg: number, least: number | null, most: number | null, count: number, p50: number | null) => ({
      sum_latency_ms: sum,
      avg_latency_ms: avg,
      min_latency_ms: least,
      max_latency_ms: most,
      count_latency_ms: count,
      count_true_latency_ms: 0,
      p50_latency_ms: p50,
      'p99.9_latency_ms': p50 === null ? null : (expect.any(Number) as number),
    })
    expect(call_buckets).toEqual([
      { timestamp: '2026-03-01T00:00:00Z', ...bucketStats(6000, 2000, 1000, 4000, 3, 1000), count: 4 },
      { timestamp: '2026-03-01T01:00:00Z', ...bucketStats(250, 250, 250, 250, 1, 250), count: 1 },
      { timestamp: '2026-03-01T02:00:00Z', ...bucketStats(0, 0, null, null, 0, null), count: 0 },
    ])
  })

  test('usage has an object for every bucket and every model of the range, by time, then model', async () => {
    const { usage_buckets } = (await stats({ ...range, granularity: 7200, usage_metrics: [{ metric: 'input_tokens' }] })) as {
      usage_buckets: Record<string, unknown>[]
    }
    const second = '2026-03-01T02:00:00Z'
    expect(usage_buckets.map(({ timestamp, model }) => [timestamp, model])).toEqual(
      ['2026-03-01T00:00:00Z', second].flatMap((time) => ['m1', 'm2', 'unknown-model', 'zero'].map((model) => [time, model])),
    )
    expect(usage_buckets[0]).toEqual({ timestamp: '2026-03-01T00:00:00Z', model: 'm1', sum_input_tokens: 112, count: 2 })
    expect(usage_buckets[4]).toEqual({ timestamp: second, model: 'm1', sum_input_tokens: 0, count: 0 })
  })

  test('buckets are aligned on the clock of the time zone, so the first may begin before the start', async () => {
    const { call_buckets } = (await stats({
      start: '2026-03-01T00:10:00Z',
      end: '2026-03-02T00:00:00Z',
      granularity: 86_400,
      timezone: 'Asia/Kolkata',
      call_metrics: [{ metric: 'call_count' }],
    })) as { call_buckets: { timestamp: string; sum_call_count: number }[] }
    expect(call_buckets).toEqual([
      { timestamp: '2026-02-28T18:30:00Z', sum_call_count: 1, count: 1 },
      { timestamp: '2026-03-01T18:30:00Z', sum_call_count: 0, count: 0 },
    ])
  })

  test.each([
    ['Europe/Berlin', '2026-10-24T22:00:00Z', [25, 24]],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', [23, 24]],
    ['America/New_York', '2026-11-01T04:00:00Z', [25, 24]],
    ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', [24.5, 24]],
    ['Asia/Kathmandu', '2026-10-24T18:15:00Z', [24, 24]],
  ])('days in %s from %s have as many hours as the clock gives them, and all of their calls', async (timezone, start, hours) => {
    const project = app.newProject()
    const atMs = (halfHours: number) => Date.parse(start) + halfHours * 1_800_000
    const halfHours = hours.reduce((sum, length) => sum + 2 * length, 0)
    const times = Array.from({ length: halfHours }, (_, at) => new Date(atMs(at)).toISOString())
    await record(app.client, ...times.map((time) => aCall({ project_id: project, started_at: time, ended_at: time })))
    const end = new Date(atMs(halfHours)).toISOString()
    const answer = await app.client.calls.stats({
      project_id: project,
      start,
      end,
      granularity: 86_400,
      timezone,
      call_metrics: [{ metric: 'call_count' }],
    })
    const secondDay = new Date(atMs(2 * (hours[0] ?? 0))).toISOString().replace('.000', '')
    expect(answer.call_buckets.map(({ timestamp, count }) => [timestamp, count])).toEqual([
      [start, 2 * (hours[0] ?? 0)],
      [secondDay, 2 * (hours[1] ?? 0)],
    ])
  })

  test.each(vectors.call_stats_cost_metrics.added_token_metrics)(
    '$requested brings the sums of its tokens along, and costs 0 without prices',
    async ({ requested, token_metrics }) => {
      const answer = await stats({ ...range, granularity: 10_800, usage_metrics: requested.map((metric) => ({ metric })) })
      const usage_buckets = answer['usage_buckets'] as Record<string, unknown>[]
      const costs = requested.filter((metric) => metric.endsWith('_cost')).map((metric) => `sum_${metric}`)
      const sums = [...token_metrics.map(({ metric }) => `sum_${metric}`), ...costs]
      expect(Object.keys(usage_buckets[0] ?? {}).sort()).toEqual(['count', 'model', 'timestamp', ...new Set(sums)].sort())
      for (const bucket of usage_buckets) for (const cost of costs) expect(bucket[cost]).toBe(0)
      // Counted, so that a reader can tell it from what is free.
      expect(answer['unpriced_usage']).toEqual({ m1: 2, m2: 1, 'unknown-model': 1, zero: 1 })
    },
  )

  test('a cost is that of all calls of a bucket at the latest price, whatever their date', async () => {
    const request = {
      ...range,
      project_id: priced,
      granularity: 10_800,
      usage_metrics: [{ metric: 'total_cost' }, { metric: 'input_cost' }],
    }
    const answer = await stats(request)
    const [m1, m2, unknown] = answer['usage_buckets'] as Record<string, unknown>[]
    // 112 prompt and 10 completion tokens at the price of 2027.
    expect(m1).toEqual({
      timestamp: range.start,
      model: 'm1',
      count: 2,
      sum_input_tokens: 112,
      sum_output_tokens: 10,
      sum_total_cost: 61,
      sum_input_cost: 56,
    })
    expect(m2).toMatchObject({ model: 'm2', sum_input_cost: 0.12, sum_total_cost: 0.13999999999999999 })
    expect(unknown).toMatchObject({ model: 'unknown-model', sum_total_cost: 0 })
    expect(answer['unpriced_usage']).toEqual({ 'unknown-model': 1, zero: 1 })
  })

  test('a count beyond 64 bits counts nothing, and what stands beside it is counted', async () => {
    const project = app.newProject()
    const usages = [
      { m: { prompt_tokens: 2 ** 66, input_tokens: 1, total_tokens: 7 }, n: { prompt_tokens: 2 } },
      { m: { total_tokens: 5 } },
      {},
    ]
    await record(app.client, ...usages.map((usage) => aCall({ project_id: project, started_at: range.start, summary: { usage } })))
    const asked = [{ metric: 'input_tokens' }, { metric: 'total_tokens', aggregations: ['sum', 'count'] }]
    const { usage_buckets } = await stats({ ...range, project_id: project, granularity: 10_800, usage_metrics: asked })
    expect(usage_buckets).toEqual([
      { timestamp: range.start, model: 'm', count: 2, sum_input_tokens: 1, sum_total_tokens: 12, count_total_tokens: 2 },
      { timestamp: range.start, model: 'n', count: 1, sum_input_tokens: 2, sum_total_tokens: 0, count_total_tokens: 0 },
    ])
  })

  test('cached tokens are taken into account whether or not they are requested', async () => {
    const project = app.newProject()
    const usage = { m: { prompt_tokens: 10, completion_tokens: 1, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 } }
    await record(app.client, aCall({ project_id: project, started_at: range.start, summary: { usage } }))
    const price = { prompt_token_cost: 2, completion_token_cost: 3, cache_read_input_token_cost: 5, cache_creation_input_token_cost: 7 }
    await app.client.costs.create({ project_id: project, costs: { m: price } })
    for (const others of [[], [{ metric: 'cache_read_input_tokens' }, { metric: 'cache_creation_input_tokens', aggregations: ['max'] }]]) {
      const usage_metrics = [{ metric: 'input_cost' }, { metric: 'output_cost' }, { metric: 'total_cost' }, ...others]
      const { usage_buckets } = await stats({ ...range, project_id: project, granularity: 10_800, usage_metrics })
      expect(usage_buckets).toMatchObject([{ sum_input_cost: 8, sum_output_cost: 3, sum_total_cost: 45 }])
    }
  })

  test('without a cost metric nothing is said about prices', async () => {
    expect(await stats({ ...range, usage_metrics: [{ metric: 'input_tokens' }] })).not.toHaveProperty('unpriced_usage')
  })

  test('both spellings of a count add up; a missing total has no value', async () => {
    const { usage_buckets } = (await stats({
      ...range,
      granularity: 10_800,
      usage_metrics: [{ metric: 'input_tokens' }, { metric: 'total_tokens', aggregations: ['count', 'min'] }],
    })) as { usage_buckets: Record<string, unknown>[] }
    expect(usage_buckets.find(({ model }) => model === 'm2')).toMatchObject({
      sum_input_tokens: 12,
      count_total_tokens: 0,
      min_total_tokens: null,
    })
  })

  test('errors are counted, and a call that ends before its start has no latency', async () => {
    const project = app.newProject()
    const inRange = '2026-03-01T00:30:00Z'
    await record(
      app.client,
      aCall({ project_id: project, started_at: inRange, ended_at: range.start, exception: 'boom' }),
      aCall({ project_id: project, started_at: inRange, ended_at: '2026-03-01T00:30:02Z' }),
    )
    const metrics = [
      { metric: 'latency_ms', aggregations: ['count', 'max'] },
      { metric: 'error_count' },
      { metric: 'call_count', aggregations: [] },
    ]
    const answer = await post('/calls/stats', { project_id: project, ...range, granularity: 10_800, call_metrics: metrics })
    expect((answer.body as { call_buckets: unknown }).call_buckets).toEqual([
      { timestamp: range.start, count_latency_ms: 1, max_latency_ms: 2000, sum_error_count: 1, sum_call_count: 2, count: 2 },
    ])
  })

  test('the start is inside, the end outside; deleted calls and calls that the filter leaves out do not count', async () => {
    const project = app.newProject()
    const calls = [range.start, range.end, '2026-03-01T01:00:00Z', '2026-03-01T01:00:00Z'].map((started_at) =>
      aCall({ project_id: project, started_at }),
    )
    await record(app.client, ...calls)
    await app.client.calls.delete({ project_id: project, call_ids: [calls[3]?.id ?? ''] })
    const count = async (filter: object) => {
      const { body } = await post('/calls/stats', {
        project_id: project,
        ...range,
        granularity: 10_800,
        filter,
        call_metrics: [{ metric: 'call_count' }],
      })
      return (body as { call_buckets: { sum_call_count: number }[] }).call_buckets[0]?.sum_call_count
    }
    expect(await count({})).toBe(2)
    expect(await count({ call_ids: [calls[0]?.id] })).toBe(1)
    expect(await count({ op_names: ['other'] })).toBe(0)
  })

  test('of roots alone, calls whose parents were not sent are roots, and usage counts where a model was called', async () => {
    const project = app.newProject()
    const summary = { usage: { m: { prompt_tokens: 1 } } }
    const started_at = range.start
    const calls = [
      aCall({ project_id: project, started_at, summary }),
      aCall({ project_id: project, started_at, summary, parent_id: newId() }),
      aCall({ project_id: project, started_at, summary, parent_id: newId(), otel_dump: { name: 'span' } }),
    ]
    const below = aCall({ project_id: project, started_at, summary, parent_id: calls[0]!.id, trace_id: calls[0]!.trace_id })
    await record(app.client, ...calls, below)
    const request = {
      usage_metrics: [{ metric: 'input_tokens' }],
      call_metrics: [{ metric: 'call_count' }],
      filter: { trace_roots_only: true },
    }
    const { body } = await post('/calls/stats', { project_id: project, ...range, granularity: 10_800, ...request })
    expect(body).toMatchObject({ usage_buckets: [{ sum_input_tokens: 3, count: 3 }], call_buckets: [{ sum_call_count: 3 }] })
  })
})

describe('usage (9)', () => {
  test.each(vectors.trace_usage)('trace/usage answers $request as recorded', async (recorded) => {
    const filter = { trace_ids: ['00000000-0000-7000-8000-000000000100'] }
    expect((await post('/trace/usage', { project_id: priced, ...recorded.request, filter })).body).toEqual(withIds(recorded))
  })

  test.each(vectors.calls_usage)('calls/usage answers $request as recorded', async (recorded) => {
    const call_ids = recorded.request.call_ids?.map(idOf)
    expect((await post('/calls/usage', { project_id: priced, ...recorded.request, call_ids })).body).toEqual(withIds(recorded))
  })

  test('a model without a price costs 0 where costs are requested', async () => {
    const { call_usage } = await app.client.calls.usage({ project_id, call_ids: [idOf('c2')], include_costs: true })
    expect(call_usage[idOf('c2')]?.['m1']).toMatchObject({
      prompt_tokens: 1100,
      prompt_tokens_total_cost: 0,
      completion_tokens_total_cost: 0,
    })
  })

  test('calls/usage refuses a limit below 1, also without ids, and a trace with more calls than it', async () => {
    for (const call_ids of [[], [idOf('c1')]]) expect((await post('/calls/usage', { project_id, call_ids, limit: 0 })).status).toBe(400)
    expect((await post('/calls/usage', { project_id, call_ids: [idOf('c1')], limit: 4 })).status).toBe(413)
    const together = await post('/calls/usage', { project_id, call_ids: [idOf('c1'), idOf('c6')], limit: 5 })
    expect(together.status).toBe(200)
  })

  test('trace/usage takes the first calls up to its limit, and none of its parents beyond them', async () => {
    const answer = await app.client.calls.traceUsage({ project_id, limit: 2 })
    expect(Object.keys(answer.call_usage).sort()).toEqual([idOf('c1'), idOf('c3')])
    expect((await post('/trace/usage', { project_id, limit: -1 })).status).toBe(400)
    expect((await post('/trace/usage', { project_id, query: { $expr: { $and: [] } } })).status).toBe(400)
  })

  test('calls whose parents are a loop, and a call that is its own parent, end', async () => {
    const project = app.newProject()
    const [trace_id, one, other, self] = [newId(), newId(), newId(), newId()]
    const summary = { usage: { m: { prompt_tokens: 1 } } }
    const parents = [
      { id: one, parent_id: other },
      { id: other, parent_id: one },
      { id: self, parent_id: self },
    ]
    await record(app.client, ...parents.map((ids) => aCall({ project_id: project, trace_id, summary, ...ids })))
    const { call_usage } = await app.client.calls.usage({ project_id: project, call_ids: [one, other, self] })
    expect(Object.values(call_usage).map((usage) => usage['m']?.prompt_tokens)).toEqual([1, 1, 1])
  })

  test('a deleted call is not counted into its parent', async () => {
    const project = app.newProject()
    const trace_id = newId()
    const parent = aCall({ project_id: project, trace_id })
    const child = aCall({ project_id: project, trace_id, parent_id: parent.id, summary: { usage: { m: { prompt_tokens: 1 } } } })
    await record(app.client, parent, child)
    await app.client.calls.delete({ project_id: project, call_ids: [child.id] })
    expect(await app.client.calls.usage({ project_id: project, call_ids: [parent.id] })).toEqual({
      call_usage: { [parent.id]: {} },
      unfinished_call_ids: [],
    })
  })
})

describe('costs in calls (costs 3)', () => {
  const entries = Object.entries(vectors.costs.summary_weave_costs)
  const weaveOf = (call: unknown) => (call as { summary: { weave: Record<string, unknown> } }).summary.weave
  /** A recorded entry with dates as this server writes them, and with what the record leaves out. */
  const complete = (entry: Record<string, unknown>) => ({
    ...entry,
    effective_date: String(entry['effective_date']).replace('+00:00', 'Z'),
    pricing_level_id: priced,
    created_by: 'tester',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
  })

  test.each(entries)('call %s costs as recorded, alone and in a stream', async (label, recorded) => {
    const costs = recorded && Object.fromEntries(Object.entries(recorded).map(([model, entry]) => [model, complete(entry)]))
    const alone = await app.client.calls.read({ project_id: priced, id: idOf(label), include_costs: true })
    const [streamed] = await findCalls(app.client, { project_id: priced, filter: { call_ids: [idOf(label)] }, include_costs: true })
    for (const weave of [weaveOf(alone.call), weaveOf(streamed)]) {
      if (costs === null) expect(weave).not.toHaveProperty('costs')
      else expect(weave['costs']).toEqual(costs)
    }
  })

  test('costs that were not selected bring the whole summary', async () => {
    const query = { project_id: priced, filter: { call_ids: [idOf('c2')] }, include_costs: true }
    const [whole] = await findCalls(app.client, query)
    const [call] = await findCalls(app.client, { ...query, columns: ['id'] })
    expect(call?.summary).toEqual(whole?.summary)
    expect(call?.summary).toMatchObject({ weave: { status: 'success', costs: { m1: expect.any(Object) as object } } })
  })

  test('nothing is added unless it is requested, and what a client stored under the name stays', async () => {
    const project = app.newProject()
    const usage = { m: { prompt_tokens: 1 } }
    const own = aCall({ project_id: project, summary: { usage, weave: { costs: 'mine', other: 1 } } })
    await record(app.client, own)
    const weave = async (include_costs: boolean) =>
      weaveOf((await app.client.calls.read({ project_id: project, id: own.id, include_costs })).call)
    expect(await weave(false)).toMatchObject({ costs: 'mine', other: 1 })
    expect(await weave(true)).not.toHaveProperty('costs')
    await app.client.costs.create({ project_id: project, costs: { m: { prompt_token_cost: 2, completion_token_cost: 0 } } })
    expect(await weave(true)).toMatchObject({ costs: { m: { prompt_tokens_total_cost: 2 } }, other: 1 })
  })

  test('a price that is added later, with an early date, changes old calls; one that is purged leaves them', async () => {
    const project = app.newProject()
    const call = aCall({ project_id: project, started_at: '2026-03-01', summary: { usage: { m: { prompt_tokens: 1 } } } })
    await record(app.client, call)
    const add = async (prompt_token_cost: number, effective_date: string) =>
      (
        await app.client.costs.create({
          project_id: project,
          costs: { m: { prompt_token_cost, completion_token_cost: 0, effective_date } },
        })
      ).ids[0]?.[0]
    const cost = async () => {
      const { call: read } = await app.client.calls.read({ project_id: project, id: call.id, include_costs: true })
      return (weaveOf(read)['costs'] as Record<string, { prompt_tokens_total_cost: number }> | undefined)?.['m']?.prompt_tokens_total_cost
    }
    expect(await cost()).toBeUndefined()
    const future = await add(9, '2026-12-01')
    expect(await cost()).toBe(9)
    await add(2, '2026-02-01')
    expect(await cost()).toBe(2)
    await add(1, '2026-01-01')
    expect(await cost()).toBe(2)
    await app.client.costs.purge({ project_id: project, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: future }] } } })
    expect(await cost()).toBe(2)
  })

  test('prices of other projects do not count', async () => {
    const project = app.newProject()
    const call = aCall({ project_id: project, summary: { usage: { m1: { prompt_tokens: 1 } } } })
    await record(app.client, call)
    const { call: read } = await app.client.calls.read({ project_id: project, id: call.id, include_costs: true })
    expect(weaveOf(read)).not.toHaveProperty('costs')
  })

  test('prices of the server count where the project has none in force', async () => {
    const project = app.newProject()
    const aDefault = aCostRow({
      llm_id: 'shipped',
      pricing_level: 'default',
      pricing_level_id: 'default',
      prompt_token_cost: 3,
      created_by: 'system',
    })
    const { client } = await app.anotherServer({ prices: [aDefault], sharesStore: true })
    const call = aCall({ project_id: project, started_at: '2026-03-01', summary: { usage: { shipped: { prompt_tokens: 1 } } } })
    await record(client, call)
    const cost = async () => weaveOf((await client.calls.read({ project_id: project, id: call.id, include_costs: true })).call)['costs']
    expect(await cost()).toMatchObject({
      shipped: { prompt_tokens_total_cost: 3, pricing_level: 'default', pricing_level_id: 'default', created_by: 'system' },
    })
    expect((await client.costs.query({ project_id: project })).results).toEqual([])
    const add = (prompt_token_cost: number, effective_date: string) =>
      client.costs.create({ project_id: project, costs: { shipped: { prompt_token_cost, completion_token_cost: 0, effective_date } } })
    await add(9, '2026-12-01')
    expect(await cost()).toMatchObject({ shipped: { prompt_tokens_total_cost: 3 } })
    await add(5, '1970-01-01')
    expect(await cost()).toMatchObject({ shipped: { prompt_tokens_total_cost: 5, pricing_level: 'project' } })
  })

  test('names that are not names of models are ignored', async () => {
    const project = app.newProject()
    const usage = JSON.parse(
      '{"__proto__": {"prompt_tokens": 1}, "nul\\u0000": {"prompt_tokens": 1}, "constructor": {"prompt_tokens": 1}}',
    ) as object
    const call = aCall({ project_id: project, summary: { usage } })
    await record(app.client, call)
    const { call: read } = await app.client.calls.read({ project_id: project, id: call.id, include_costs: true })
    expect(weaveOf(read)).not.toHaveProperty('costs')
  })
})

describe('the derived block of a summary (2)', () => {
  test.each(vectors.derived_summary)('$name', async ({ result, ended_at, summary, exception, op_name: recorded, ...rest }) => {
    const project = app.newProject()
    // Recorded behind the reference's door, where references have their stored form.
    const op_name = recorded.replace(/^weave-trace-internal:\/\/\/[^/]+/, `weave:///${project}`)
    const start = { ...rest, op_name }
    const { id } = await app.client.calls.start({ start: aStart({ project_id: project, ...start }) })
    // A call without an end has a summary only where its end came without a time, which no client can send.
    const ended = ended_at !== null
    if (ended) await app.client.calls.end({ end: { project_id: project, id, ended_at, exception, summary } })
    const { body } = await post('/call/read', { project_id: project, id })
    const expected = ended ? result : { weave: (result as { weave: object }).weave }
    expect((body as { call: { summary: unknown } }).call.summary).toEqual(expected)
  })
})
