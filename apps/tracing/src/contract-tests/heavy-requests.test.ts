import { tracing, type Operation } from '@heddle/core-api'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestServer } from '../testing/start-test-app.ts'
import { aStart } from './testing/call-builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

interface Sending {
  service?: TestServer['service']
  method?: string
}

async function send(
  path: string,
  body: string,
  { service = app.service, method = 'POST' }: Sending = {},
): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${app.apiKey}` }
  const response = await service.fetch(new Request(`http://heddle.test${path}`, { method, headers, body }))
  return { status: response.status, text: await response.text() }
}

const place = (project_id: string) => ({ project_id, ref: `weave:///${project_id}/call/c` })

/** A request for each way by which a number of a client comes in: its path, and its body with `"@"` for the number. */
const numberPlaces: Record<string, (to: ReturnType<typeof place>) => [path: string, body: object]> = {
  'the value of an object': ({ project_id }) => ['/obj/create', { obj: { project_id, object_id: 'o', val: ['@'] } }],
  'a JSON text in the value of an object': ({ project_id, ref }) => [
    '/obj/create',
    { obj: { project_id, object_id: 'o', val: { text: `{"ref":"${ref}","n":@}` } } },
  ],
  'a feedback': ({ project_id, ref }) => ['/feedback/create', { project_id, weave_ref: ref, feedback_type: 'own', payload: { a: '@' } }],
  'a row of a table': ({ project_id }) => ['/table/create', { table: { project_id, rows: [{ a: '@' }] } }],
  'a call': ({ project_id }) => ['/call/start', { start: { ...aStart({ project_id }), inputs: { a: '@' } } }],
  'a price': ({ project_id }) => ['/cost/create', { project_id, costs: { m: { prompt_token_cost: '@', completion_token_cost: 1 } } }],
  'a time': ({ project_id }) => ['/calls/stats', { project_id, start: '@' }],
  'a limit': ({ project_id }) => ['/calls/query', { project_id, limit: '@' }],
  'a literal': ({ project_id }) => [
    '/calls/query',
    { project_id, query: { $expr: { $eq: [{ $getField: 'inputs.a' }, { $literal: '@' }] } } },
  ],
  'an integer attribute of a span': () => ['/otel/v1/traces', aSpanWith({ intValue: '@' })],
  'a text attribute of a span': () => ['/otel/v1/traces', aSpanWith({ stringValue: '[@]' })],
}

function aSpanWith(value: object): object {
  const span = {
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    startTimeUnixNano: '1',
    attributes: [{ key: 'langfuse.startTime', value }],
  }
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
}

test.each(Object.entries(numberPlaces))('%s may have a number of any length, which nothing converts digit by digit', async (_, request) => {
  const convert = vi.spyOn(globalThis, 'BigInt')
  const [path, body] = request(place(app.newProject()))
  const digits = '9'.repeat(inject('long') ? 10_000_000 : 100_000)
  const json = JSON.stringify(body)
  const { status } = await send(path, json.includes('"@"') ? json.replace('"@"', digits) : json.replace('@', digits))
  const longest = Math.max(0, ...convert.mock.calls.map(([value]) => String(value).length))
  convert.mockRestore()
  expect(status).toBeLessThan(500)
  expect(longest).toBeLessThanOrEqual(400)
})

const withBody = Object.entries(tracing).flatMap(([resource, group]) =>
  Object.entries<Operation>(group)
    .filter(([, operation]) => operation.body !== undefined)
    .map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
)

test('the body of every operation is refused above its number of keys and values, before it is parsed', async () => {
  const { service } = await app.anotherServer({ limits: { maxValues: 1_000 } })
  const statusOf = async ({ method, path }: Operation, body: string) => {
    const place = path
      .replaceAll('{entity}', 'test')
      .replaceAll('{project}', 'p')
      .replaceAll(/\{\w+\}/g, 'x')
    return (await send(place, body, { service, method })).status
  }
  for (const { name, operation } of withBody) {
    const factor = name === 'tables.createFromDigests' ? 2 : 1
    expect({ name, status: await statusOf(operation, `[${'1,'.repeat(factor * 1_000 - 2)}1]`) }).toEqual({ name, status: 422 })
    expect({ name, status: await statusOf(operation, `[${'1,'.repeat(factor * 1_000 - 1)}1]`) }).toEqual({ name, status: 413 })
  }
})

test('a JSON text within a value has a bounded number of parts as well', async () => {
  const project_id = app.newProject()
  const publish = (json: string) => send('/obj/create', JSON.stringify({ obj: { project_id, object_id: 'o', val: { json } } }))
  const parts = (count: number) => `["weave:///${project_id}/call/c"${',1'.repeat(count / 2)}]`
  expect((await publish(parts(200_000))).status).toBe(200)
  expect((await publish(parts(2_000_000))).status).toBe(413)
})

test('a body of tiny values is refused, whatever its bytes', async () => {
  const bytes = inject('long') ? 31 * 2 ** 20 : 2 ** 22
  const tiny = '1.0,'
  const { status } = await send('/obj/create', `{"obj":[${tiny.repeat(bytes / tiny.length - 10)}1]}`)
  expect(status).toBe(413)
})

test('a query that can never run is refused permanently, and its reason says what is too much', async () => {
  const nested = (levels: number): object => {
    if (levels === 0) return { $eq: [{ $getField: 'inputs.a' }, { $literal: 1 }] }
    return { $in: [nested(levels - 1), [{ $literal: true }, { $literal: 'x' }, { $literal: 1 }, { $literal: 1.5 }]] }
  }
  const body = JSON.stringify({ project_id: app.newProject(), query: { $expr: nested(40) } })
  for (const path of ['/calls/query', '/calls/stream_query', '/calls/query_stats', '/trace/usage']) {
    const { status, text } = await send(path, body)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({ reason: 'The query is too large or too deep to run; use fewer conditions, conversions and fields' })
  }
})

const day = { start: '2026-03-01', end: '2026-03-02' }
const times = (count: number, entry: unknown) => Array.from({ length: count }, () => entry)
const levels = (count: number) => Array.from({ length: count }, (_, index) => (index * 100) / count)

test.each<[string, string, object, number]>([
  ['50 percentiles', '/calls/stats', { call_metrics: [{ metric: 'latency_ms', percentiles: levels(50) }] }, 200],
  ['51 percentiles', '/calls/stats', { call_metrics: [{ metric: 'latency_ms', percentiles: levels(51) }] }, 422],
  [
    '16 metrics with 50 percentiles',
    '/calls/stats',
    { usage_metrics: times(16, { metric: 'total_tokens', percentiles: levels(50) }) },
    200,
  ],
  ['17 metrics', '/calls/stats', { usage_metrics: times(17, { metric: 'total_tokens' }) }, 422],
  ['17 aggregations', '/calls/stats', { call_metrics: [{ metric: 'latency_ms', aggregations: times(17, 'sum') }] }, 422],
  ['50 percentiles', '/feedback/stats', { metrics: [{ json_path: 'a.b', percentiles: levels(50) }] }, 200],
  ['51 percentiles', '/feedback/stats', { metrics: [{ json_path: 'a.b', percentiles: levels(51) }] }, 422],
  [
    '50 metrics',
    '/feedback/stats',
    { metrics: levels(50).map((_, index) => ({ json_path: `a.b${index}`, percentiles: levels(50) })) },
    200,
  ],
  ['51 metrics', '/feedback/stats', { metrics: times(51, { json_path: 'a' }) }, 422],
  [
    'more numbers than an answer holds',
    '/calls/stats',
    {
      granularity: 10,
      call_metrics: times(3, 0).map((_, index) => ({
        metric: ['latency_ms', 'call_count', 'error_count'][index],
        percentiles: levels(50),
      })),
    },
    400,
  ],
  [
    'more numbers than an answer holds',
    '/feedback/stats',
    {
      granularity: 10,
      metrics: [
        { json_path: 'a', percentiles: levels(50) },
        { json_path: 'b', percentiles: levels(50) },
        { json_path: 'c', percentiles: levels(50) },
      ],
    },
    400,
  ],
])('%s at %s', async (_, path, request, status) => {
  const answer = await send(path, JSON.stringify({ project_id: app.newProject(), ...day, ...request }))
  expect(answer).toMatchObject({ status })
  if (status === 422) expect(answer.text).toMatch(/"msg":"List should have at most \d+ items"/)
  if (status === 400) expect(answer.text).toContain('raise granularity or request fewer metrics')
})

test.each(['/call/upsert_batch', '/v2/test/p/calls/complete', '/feedback/batch/create'])(
  'a batch at %s is refused with 413 above its number of items, so that clients halve it',
  async (path) => {
    const max = path.startsWith('/feedback') ? 10_000 : 20_000
    const { status, text } = await send(path, JSON.stringify({ batch: times(max + 1, itemOf(path)) }))
    expect({ status, text }).toMatchObject({ status: 413, text: expect.stringContaining(`at most ${max} are allowed`) as string })
  },
)

function itemOf(path: string): object {
  const project_id = 'test/p'
  if (path.startsWith('/feedback')) return { project_id, weave_ref: 'r', feedback_type: 't', payload: {} }
  const start = aStart({ project_id })
  return path.startsWith('/v2') ? { ...start, ended_at: '2026-03-01', summary: {} } : { req: { start } }
}

const sortKey = { field: 'id', direction: 'asc' }
const equality = { $eq: [{ $getField: 'id' }, { $literal: 'x' }] }
const digest = 'A'.repeat(43)

test.each<[string, string, object, number]>([
  ['101 columns to expand', '/calls/query', { expand_columns: times(101, 'inputs.a') }, 400],
  ['101 columns to expand of one call', '/calls/query', { filter: { call_ids: ['x'] }, expand_columns: times(101, 'inputs.a') }, 400],
  ['33 keys of an order', '/calls/query', { sort_by: times(33, sortKey) }, 400],
  ['33 keys of an order', '/feedback/query', { sort_by: times(33, sortKey) }, 400],
  ['33 keys of an order', '/threads/stream_query', { sort_by: times(33, { ...sortKey, field: 'thread_id' }) }, 400],
  ['33 keys of an order', '/table/query', { digest, sort_by: times(33, sortKey) }, 400],
  ['10,001 digests of rows', '/table/query', { digest, filter: { row_digests: times(10_001, digest) } }, 400],
  ['1,001 digests of tables', '/table/query_stats_batch', { digests: times(1_001, digest) }, 400],
  ['1,001 tags', '/objs/query', { filter: { tags: times(1_001, 't') } }, 400],
  ['101 digests of versions', '/obj/delete', { object_id: 'o', digests: times(101, digest) }, 400],
  ['1,001 references', '/refs/read_batch', { refs: times(1_001, 'weave:///test/p/object/o:d') }, 400],
  ['1,001 calls to delete', '/calls/delete', { call_ids: times(1_001, 'x') }, 413],
  ['1,001 calls of a filter', '/calls/query', { filter: { call_ids: times(1_001, 'x') } }, 400],
  ['2,001 conditions', '/calls/query', { query: { $expr: { $or: times(2_001, equality) } } }, 400],
  ['10,001 elements', '/calls/query', { query: { $expr: { $in: [{ $getField: 'id' }, times(10_001, { $literal: 'x' })] } } }, 400],
])('%s at %s are refused by the operation itself', async (_, path, request, status) => {
  expect(await send(path, JSON.stringify({ project_id: app.newProject(), ...request }))).toMatchObject({ status })
})

const wrong = (count: number) => `[${'0,'.repeat(count - 1)}0]`
const nestedWrong = (count: number) => `[${`${wrong(500)},`.repeat(count / 500)}0]`
const many = 900_000

test.each<[string, string, string, number]>([
  ['ids of calls', '/calls/query', `{"filter":{"call_ids":${wrong(many)}}}`, 400],
  ['conditions', '/calls/query', `{"query":{"$expr":{"$and":${wrong(many)}}}}`, 400],
  ['elements of $in', '/calls/query', `{"query":{"$expr":{"$in":[{"$getField":"id"},${wrong(many)}]}}}`, 400],
  ['nested conditions', '/calls/query', `{"query":{"$expr":{"$or":[{"$or":[{"$and":${wrong(many)}}]}]}}}`, 400],
  ['keys of an order', '/calls/query', `{"sort_by":${wrong(many)}}`, 400],
  ['columns', '/calls/query', `{"columns":${wrong(many)}}`, 422],
  ['references', '/refs/read_batch', `{"refs":${wrong(many)}}`, 400],
  ['calls', '/v2/test/p/calls/complete', `{"batch":${wrong(many)}}`, 413],
  ['feedback', '/feedback/batch/create', `{"batch":[${'{},'.repeat(many / 2)}{}]}`, 413],
  ['as many calls as are allowed', '/v2/test/p/calls/complete', `{"batch":[${'{},'.repeat(19_999)}{}]}`, 422],
  ['as much feedback as is allowed', '/feedback/batch/create', `{"batch":[${'{},'.repeat(9_999)}{}]}`, 422],
  ['rows of a table', '/table/create', `{"table":{"rows":${wrong(250_000)}}}`, 422],
  ['lists in place of rows', '/table/create', `{"table":{"rows":${nestedWrong(many)}}}`, 422],
  ['prices', '/cost/create', `{"costs":{${Array.from({ length: 9_999 }, (_, index) => `"${index}":{}`).join(',')}}}`, 422],
])('%s that are all wrong at %s are refused by their number or the first few of them', async (_, path, body, expected) => {
  const { status, text } = await send(path, body.replace('{', '{"project_id":"test/p",'))
  expect({ status, text: text.slice(0, 300) }).toMatchObject({ status: expected })
  if (status === 422) expect((JSON.parse(text) as { detail: unknown[] }).detail.length).toBeLessThanOrEqual(100)
})
