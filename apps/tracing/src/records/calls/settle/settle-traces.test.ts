import { EventEmitter, once } from 'node:events'
import { bind, type DerivingStore, type Sql, sql, StoreError, type TouchedTrace } from '@heddle/datastore'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { aCall, aStart, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { settleExpired } from './settle-expired-store.sql.ts'
import { createTraceSettling, settleAgain } from './settle-traces-store.sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const start = '2026-03-01T00:00:00Z'
const at = (second: number) => `2026-03-01T00:00:${String(second).padStart(2, '0')}Z`

interface SentSpan {
  id: string
  trace: string
  parent?: string
  attributes?: Record<string, string | number>
  /** Seconds after the start. */
  second?: number
  failed?: boolean
}

async function sendSpans(project_id: string, ...spans: SentSpan[]): Promise<void> {
  const nanos = (second: number) => `${BigInt(Date.parse(start)) * 1_000_000n + BigInt(second) * 1_000_000_000n}`
  const sent = spans.map(({ id, trace, parent, attributes = {}, second = 0, failed }) => ({
    traceId: trace,
    spanId: id,
    ...(parent && { parentSpanId: parent }),
    name: 'span',
    startTimeUnixNano: nanos(second),
    endTimeUnixNano: nanos(second + 1),
    ...(failed && { status: { code: 2, message: 'no' } }),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
  }))
  const headers = { 'content-type': 'application/json', project_id }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: sent }] }] }
  expect(await sendRaw(app, { path: '/otel/v1/traces', body, headers })).toMatchObject({ status: 200 })
}

const hex = (bytes: number) => Array.from({ length: bytes * 2 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
const used = (operation: string, input: number, output: number) => ({
  'gen_ai.operation.name': operation,
  'gen_ai.request.model': 'gpt-4o-mini',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
})

async function totalsOf(project_id: string) {
  const { traces } = await app.client.calls.traceTotals({ project_id, start, end: '2026-03-02T00:00:00Z' })
  const { groups } = await app.client.calls.usageTotals({ project_id, start, end: '2026-03-02T00:00:00Z', group_by: 'model' })
  return { traces, models: groups.map(({ key, uses, input_tokens, output_tokens }) => ({ key, uses, input_tokens, output_tokens })) }
}

const rootsOf = async (project_id: string) => {
  const ids: string[] = []
  for await (const { id } of app.client.calls.streamQuery({ project_id, filter: { trace_roots_only: true } })) ids.push(id)
  return ids
}
const threadsOf = async (project_id: string) => {
  const threads = []
  for await (const thread of app.client.threads.streamQuery({ project_id })) threads.push(thread)
  return threads
}

test('an agent that repeats the sum of its model calls counts once, in traces and models alike', async () => {
  const project_id = app.newProject()
  const [trace, root, one, other] = [hex(16), hex(8), hex(8), hex(8)]
  await sendSpans(
    project_id,
    { trace, id: root, attributes: used('invoke_agent', 3000, 500) },
    { trace, id: one, parent: root, attributes: used('chat', 1000, 200) },
    { trace, id: other, parent: root, attributes: used('chat', 2000, 300) },
  )
  expect(await totalsOf(project_id)).toMatchObject({
    traces: [{ trace_id: trace, root_call_id: root, tokens: 3500, calls: 3, errors: 0, status: 'success' }],
    models: [{ key: 'gpt-4o-mini', uses: 2, input_tokens: 3000, output_tokens: 500 }],
  })
})

test('a child that arrives after its root takes over what counts, and usage below a root that runs counts', async () => {
  const project_id = app.newProject()
  const [trace, root, child] = [hex(16), hex(8), hex(8)]
  await sendSpans(project_id, { trace, id: root, attributes: used('invoke_agent', 300, 30) })
  expect(await totalsOf(project_id)).toMatchObject({ models: [{ uses: 1, input_tokens: 300 }] })
  await sendSpans(project_id, { trace, id: child, parent: root, attributes: used('chat', 200, 20), second: 2 })
  expect(await totalsOf(project_id)).toMatchObject({ traces: [{ tokens: 220 }], models: [{ uses: 1, input_tokens: 200 }] })
  const [running, below] = [newId(), newId()]
  const trace_id = newId()
  await app.client.calls.start({ start: aStart({ project_id, id: running, trace_id, started_at: at(9) }) })
  const summary = { usage: { m: { prompt_tokens: 100, completion_tokens: 10 } } }
  await record(app.client, aCall({ project_id, id: below, trace_id, parent_id: running, started_at: at(10), ended_at: at(11), summary }))
  expect((await totalsOf(project_id)).traces).toMatchObject([{ trace_id, tokens: 110, status: 'running', root_call_id: running }, {}])
})

test('a call whose parent was never sent is a root, in a thread, until its parent comes', async () => {
  const project_id = app.newProject()
  const [trace, missing, root, child] = [hex(16), hex(8), hex(8), hex(8)]
  const thread = { 'gen_ai.conversation.id': 'conv-7' }
  await sendSpans(
    project_id,
    { trace, id: root, parent: missing, attributes: { 'gen_ai.operation.name': 'invoke_agent', ...thread } },
    { trace, id: child, parent: root, attributes: { ...used('chat', 5, 1), ...thread } },
  )
  expect(await rootsOf(project_id)).toEqual([root])
  expect(await threadsOf(project_id)).toMatchObject([{ thread_id: 'conv-7', turn_count: 1, first_turn_id: root }])
  expect((await totalsOf(project_id)).traces).toMatchObject([
    { root_call_id: root, is_parent_missing: true, thread_id: 'conv-7', tokens: 6 },
  ])
  await sendSpans(project_id, { trace, id: missing, attributes: thread })
  expect(await rootsOf(project_id)).toEqual([missing])
  expect(await threadsOf(project_id)).toMatchObject([{ thread_id: 'conv-7', turn_count: 1, first_turn_id: missing }])
  expect((await totalsOf(project_id)).traces).toMatchObject([{ root_call_id: missing, is_parent_missing: false, calls: 3 }])
})

test('the calls of a model are those whose usage counts, not the agent above that reports it again', async () => {
  const project_id = app.newProject()
  const [trace, root, tool] = [hex(16), hex(8), hex(8)]
  await sendSpans(
    project_id,
    { trace, id: root, attributes: used('invoke_agent', 3000, 500) },
    { trace, id: tool, parent: root, attributes: used('chat', 1000, 200), second: 1, failed: true },
    { trace, id: hex(8), parent: root, attributes: used('chat', 2000, 300), second: 3 },
  )
  const { groups } = await app.client.calls.usageTotals({ project_id, start, end: '2026-03-02', group_by: 'model', include_calls: true })
  const latency = { p50_latency_ms: 1_000, p95_latency_ms: 1_000 }
  expect(groups).toMatchObject([{ key: 'gpt-4o-mini', uses: 2, input_tokens: 3000, calls: { count: 2, errors: 1, ...latency } }])
  const byThread = await app.client.calls.usageTotals({ project_id, start, end: '2026-03-02', group_by: 'thread', include_calls: true })
  expect(byThread.groups).toMatchObject([{ key: null, calls: { count: 2, errors: 1 } }])
  expect((await app.client.calls.usageTotals({ project_id, start, end: '2026-03-02', group_by: 'model' })).groups[0]).not.toHaveProperty(
    'calls',
  )
})

test('what is deleted counts no more, and a trace without calls is none', async () => {
  const project_id = app.newProject()
  const [trace, root, child] = [hex(16), hex(8), hex(8)]
  await sendSpans(
    project_id,
    { trace, id: root, attributes: used('invoke_agent', 300, 30) },
    { trace, id: child, parent: root, attributes: used('chat', 200, 20) },
  )
  await app.client.calls.delete({ project_id, call_ids: [child] })
  expect(await totalsOf(project_id)).toMatchObject({ traces: [{ tokens: 330, calls: 1 }], models: [{ input_tokens: 300 }] })
  await app.client.calls.delete({ project_id, call_ids: [root] })
  expect(await totalsOf(project_id)).toEqual({ traces: [], models: [] })
})

test('the status of a trace knows failures below its root in totals, lists, filters, counts and orders, also those that come later', async () => {
  const project_id = app.newProject()
  const [trace, root, agent, tool, other] = [hex(16), hex(8), hex(8), hex(8), hex(8)]
  const ofTraces = { trace_roots_only: true }
  const isStatus = (status: string) => ({ $expr: { $eq: [{ $getField: 'summary.weave.status' }, { $literal: status }] } })
  const idsOf = async (status: string) => {
    const ids: string[] = []
    const query = { project_id, filter: ofTraces, query: isStatus(status) }
    for await (const { id } of app.client.calls.streamQuery(query)) ids.push(id)
    const { count } = await app.client.calls.queryStats(query)
    expect(count).toBe(ids.length)
    return ids.toSorted()
  }
  const statusesOf = async () => {
    const statuses: Record<string, unknown> = {}
    for await (const { id, summary } of app.client.calls.streamQuery({ project_id, filter: ofTraces }))
      statuses[id] = (summary as { weave: { status: string } }).weave.status
    return statuses
  }
  await sendSpans(project_id, { trace, id: root }, { trace, id: agent, parent: root }, { trace: hex(16), id: other })
  expect(await statusesOf()).toEqual({ [root]: 'success', [other]: 'success' })
  expect(await idsOf('success')).toEqual([root, other].toSorted())

  await sendSpans(project_id, { trace, id: tool, parent: agent, failed: true })
  expect((await totalsOf(project_id)).traces).toContainEqual(expect.objectContaining({ status: 'descendant_error', errors: 1 }))
  expect(await statusesOf()).toEqual({ [root]: 'descendant_error', [other]: 'success' })
  expect(await idsOf('descendant_error')).toEqual([root])
  expect(await idsOf('error')).toEqual([])
  expect(await idsOf('success')).toEqual([other])
  const sorted: string[] = []
  const sort_by = [{ field: 'summary.weave.status', direction: 'desc' as const }]
  for await (const { id } of app.client.calls.streamQuery({ project_id, filter: ofTraces, sort_by })) sorted.push(id)
  expect(sorted).toEqual([other, root])
  // A call by itself has the status of the contract: its own.
  const own: string[] = []
  for await (const { id } of app.client.calls.streamQuery({ project_id, query: isStatus('success') })) own.push(id)
  expect(own.toSorted()).toEqual([root, agent, other].toSorted())

  await app.client.calls.delete({ project_id, call_ids: [tool] })
  expect(await statusesOf()).toEqual({ [root]: 'success', [other]: 'success' })
})

test('named traces are found whenever they started, and without them a range is needed', async () => {
  const project_id = app.newProject()
  const [trace, other] = [hex(16), hex(16)]
  await sendSpans(project_id, { trace, id: hex(8) }, { trace: other, id: hex(8) })
  const { traces } = await app.client.calls.traceTotals({ project_id, start: null, trace_ids: [trace] })
  expect(traces).toMatchObject([{ trace_id: trace }])
  await expect(app.client.calls.traceTotals({ project_id, start: null })).rejects.toMatchObject({ status: 422 })
})

test('what did not change is not written again', async () => {
  const project_id = app.newProject()
  const [trace, root] = [hex(16), hex(8)]
  await sendSpans(project_id, { trace, id: root }, { trace, id: hex(8), parent: root, attributes: used('chat', 200, 20) })
  await totalsOf(project_id)
  await sendSpans(project_id, { trace, id: hex(8), parent: root, attributes: used('chat', 7, 1) })
  const [row] = await app.stores.analytical.rows<{ rows: number }>(
    sql`SELECT toFloat64(count()) AS rows FROM heddle.usage WHERE trace_id = ${bind('String', trace)}`,
  )
  expect(row?.rows).toBe(2)
})

test(
  'a trace of which some calls expired is settled from those that are left, and says until then that it is behind',
  { timeout: 60_000 },
  async () => {
    const project_id = app.newProject()
    await app.client.projects.updateTtlSettings({ project_id, retention_days: 1 })
    const [trace_id, root] = [newId(), newId()]
    const now = Date.now()
    const iso = (ms: number) => new Date(ms).toISOString()
    const usage = { usage: { m: { prompt_tokens: 10 } } }
    const expires = now + 4_000
    await record(
      app.client,
      aCall({ project_id, trace_id, id: root, started_at: iso(expires - 86_400_000), ended_at: iso(now) }),
      aCall({ project_id, trace_id, parent_id: root, started_at: iso(now), ended_at: iso(now), summary: usage }),
    )
    const read = async () => (await app.client.calls.traceTotals({ project_id, start: null, trace_ids: [trace_id] })).traces
    expect(await read()).toMatchObject([{ root_call_id: root, calls: 2, is_behind: false }])
    await expect.poll(read).toMatchObject([{ calls: 2, is_behind: true }])
    expect(await settleExpired(app.stores.analytical)).toBeGreaterThan(0)
    expect(await read()).toMatchObject([{ calls: 1, tokens: 10, is_parent_missing: true, is_behind: false }])
  },
)

/** Calls above which a trace is settled later; in `npm run test:long` those of a server. */
const largeTrace = trials({ usual: 500, long: 20_000 })

test('a large trace says that its numbers are behind until they follow', { timeout: 120_000 }, async () => {
  const count = largeTrace + 1
  const { client, newProject, close } = await startTestApp({ own: { derive: createTraceSettling({ largeTrace }) } })
  onTestFinished(close)
  const project_id = newProject()
  const [trace_id, root] = [newId(), newId()]
  const times = { started_at: at(0), ended_at: at(1) }
  const calls = Array.from({ length: count }, (_, index) =>
    aCall({ project_id, trace_id, ...times, ...(index === 0 ? { id: root } : { parent_id: root }) }),
  )
  for (let start = 0; start < calls.length; start += 7_000) await record(client, ...calls.slice(start, start + 7_000))
  const read = async () => {
    const { traces } = await client.calls.traceTotals({ project_id, start: null, trace_ids: [trace_id] })
    const { traces_behind } = await client.calls.usageTotals({ project_id, start, end: '2026-03-02T00:00:00Z', group_by: 'model' })
    return { calls: traces[0]?.calls, is_behind: traces[0]?.is_behind, traces_behind }
  }
  expect(await read()).toEqual({ calls: count, is_behind: false, traces_behind: 0 })
  const summary = { usage: { m: { prompt_tokens: 10 } } }
  await record(client, aCall({ project_id, trace_id, parent_id: root, ...times, summary }))
  const first = await read()
  // Where the machine is slow they have followed by now.
  expect([
    [count, true],
    [count + 1, false],
  ]).toContainEqual([first.calls, first.is_behind])
  await expect.poll(read, { timeout: 60_000 }).toEqual({ calls: count + 1, is_behind: false, traces_behind: 0 })
})

test.skipIf(inject('postgresUrl') === '')(
  'servers on one store that write calls of one trace at once settle it whole, whichever is last',
  async () => {
    const shared = await startTestApp({ postgresUrl: inject('postgresUrl') })
    try {
      const servers = [shared.client, (await shared.anotherServer()).client, (await shared.anotherServer()).client]
      const project_id = shared.newProject()
      const [trace_id, root] = [newId(), newId()]
      const usage = (prompt_tokens: number) => ({ usage: { m: { prompt_tokens } } })
      const calls = Array.from({ length: 12 }, (_, index) =>
        aCall({ project_id, trace_id, parent_id: root, started_at: at(index + 1), ended_at: at(index + 2), summary: usage(10) }),
      )
      const whole = aCall({ project_id, trace_id, id: root, started_at: at(0), ended_at: at(59), summary: usage(125) })
      await Promise.all([whole, ...calls].map((call, index) => record(servers[index % servers.length]!, call)))
      for (const client of servers) {
        const { traces } = await client.calls.traceTotals({ project_id, start, end: '2026-03-02T00:00:00Z' })
        expect(traces).toMatchObject([{ root_call_id: root, calls: 13, tokens: 125 }])
      }
    } finally {
      await shared.close()
    }
  },
)

/** The store with each insert, and the table of each read, noted; reads fail from the given one on. */
function notedStore(failing = Infinity) {
  const { analytical } = app.stores
  const inserts: { table: string; rows: number }[] = []
  const reads: (string | undefined)[] = []
  const noted = ({ strings }: Sql) => {
    reads.push(/FROM heddle\.(\w+)/.exec(strings.join())?.[1])
    if (reads.length >= failing) throw new StoreError('unavailable', 'away')
    return analytical
  }
  const store: DerivingStore = {
    isShared: false,
    async insert(table, block) {
      inserts.push({ table: table.name, rows: block.rows })
      await analytical.insert(table, block)
    },
    rows: async (statement) => noted(statement).rows(statement),
    lazyRows: async (statement) => noted(statement).lazyRows(statement),
  }
  return { store, inserts, reads }
}

/** Two traces per project; those of each project start `secondsApart` seconds later than those of the previous one. */
async function tracesOfProjects(projects: number, secondsApart = 1) {
  const touched: TouchedTrace[] = []
  for (let index = 0; index < projects; index++) {
    const [project_id, second] = [app.newProject(), index * secondsApart]
    const from = Date.parse(start) * 1_000 + second * 1e6
    for (const trace_id of [hex(16), hex(16)]) {
      touched.push({ project_id, trace_id, from, until: from + 1e6 })
      const ofTrace = { trace: trace_id, second }
      await sendSpans(project_id, { ...ofTrace, id: hex(8), attributes: used('chat', 10, 1) }, { ...ofTrace, id: hex(8) })
    }
  }
  return touched
}

test('the rows of all traces that are settled together are written by one insert for each table', async () => {
  const touched = await tracesOfProjects(3)
  const { store, inserts, reads } = notedStore()
  await settleAgain(store, touched)
  expect(reads).toEqual(['traces', 'calls', 'usage'])
  // Their usage did not change.
  expect(inserts).toEqual([{ table: 'traces', rows: touched.length }])
  const forgetful = notedStore()
  const rows: DerivingStore['rows'] = async (statement) => {
    const found = await forgetful.store.rows<never>(statement)
    return forgetful.reads.at(-1) === 'usage' ? [] : found
  }
  await settleAgain({ ...forgetful.store, rows }, touched)
  expect(forgetful.inserts).toEqual([
    { table: 'usage', rows: touched.length },
    { table: 'traces', rows: touched.length },
  ])
})

/** Two traces with calls, and 1,198 without, as they are settled. */
async function manyTraces() {
  const project_id = app.newProject()
  const [first, last] = [hex(16), hex(16)]
  await sendSpans(project_id, { trace: first, id: hex(8), attributes: used('chat', 10, 1) }, { trace: last, id: hex(8), second: 9 })
  await totalsOf(project_id)
  const from = Date.parse(start) * 1_000
  const others = Array.from({ length: 1_198 }, (_, index) => ({ project_id, trace_id: hex(16), from: from + index, until: from + index }))
  const at = (second: number) => ({ from: from + second * 1e6, until: from + second * 1e6 })
  const touched = [{ project_id, trace_id: last, ...at(9) }, ...others, { project_id, trace_id: first, ...at(0) }]
  return { project_id, touched, called: [first, last].toSorted() }
}

test.each([
  { name: 'written', settle: createTraceSettling(), isShared: false, lookUps: 1, reads: 1 },
  { name: 'written where others may write', settle: createTraceSettling(), isShared: true, lookUps: 3, reads: 3 },
  { name: 'settled again', settle: settleAgain, isShared: false, lookUps: 1, reads: 3 },
])(
  'stored rows of 1,200 traces that are $name are looked up by $lookUps statements, their calls by $reads',
  async ({ settle, isShared, ...expected }) => {
    const { project_id, touched, called } = await manyTraces()
    const { store, inserts, reads } = notedStore()
    await settle({ ...store, isShared }, touched)
    expect(reads.filter((table) => table === 'traces')).toHaveLength(expected.lookUps)
    expect(reads.filter((table) => table === 'calls')).toHaveLength(expected.reads)
    // Those without calls have no row.
    expect(inserts).toEqual([{ table: 'traces', rows: 2 }])
    expect((await totalsOf(project_id)).traces.map(({ trace_id }) => trace_id).toSorted()).toEqual(called)
  },
)

test('traces that are known to have many calls are read one by one', async () => {
  const { touched } = await manyTraces()
  const { store, reads } = notedStore()
  const rows: DerivingStore['rows'] = async (statement) => {
    const found = await store.rows<{ calls: number }>(statement)
    return (reads.at(-1) === 'traces' ? found.map((row) => ({ ...row, calls: 15_000 })) : found) as never
  }
  await createTraceSettling()({ ...store, rows }, touched)
  expect(reads.filter((table) => table === 'calls')).toHaveLength(2)
})

test('projects whose calls lie more than an hour apart are read one by one, and where one cannot be read, those before are written', async () => {
  const touched = await tracesOfProjects(2, 3_601)
  const { store, inserts, reads } = notedStore(4)
  await expect(settleAgain(store, touched)).rejects.toThrow('away')
  expect(reads).toEqual(['traces', 'calls', 'usage', 'calls'])
  expect(inserts).toEqual([{ table: 'traces', rows: 2 }])
})

test('a trace of one project is not mistaken for one with the same id, and calls with the same ids, in another', async () => {
  const [first, second, third] = [app.newProject(), app.newProject(), app.newProject()]
  const [trace, root, child] = [hex(16), hex(8), hex(8)]
  const send = (project_id: string, tokens: number) =>
    sendSpans(project_id, { trace, id: root }, { trace, id: child, parent: root, attributes: used('chat', tokens, 0) })
  await Promise.all([send(first, 10), send(second, 20), send(third, 30)])
  const other = hex(16)
  await sendSpans(third, { trace: other, id: hex(8), second: 1 })
  await app.client.calls.delete({ project_id: first, call_ids: [child] })
  const from = Date.parse(start) * 1_000
  const touch = (project_id: string, trace_id: string) => ({ project_id, trace_id, from, until: from + 1e6 })
  const { store, inserts } = notedStore()
  // The third project has no trace of the same id among them.
  await settleAgain(store, [touch(first, trace), touch(second, trace), touch(third, other)])
  expect(inserts).toEqual([{ table: 'traces', rows: 3 }])
  expect(await totalsOf(first)).toMatchObject({ traces: [{ calls: 1 }], models: [] })
  expect(await totalsOf(second)).toMatchObject({ traces: [{ calls: 2, tokens: 20 }], models: [{ input_tokens: 20 }] })
  expect(await totalsOf(third)).toMatchObject({ traces: [{ calls: 1 }, { calls: 2, tokens: 30 }], models: [{ input_tokens: 30 }] })
})

test('who began to read the calls of a trace first does not undo what another settled meanwhile, however late it writes', async () => {
  const { analytical } = app.stores
  const project_id = app.newProject()
  const [trace_id, root] = [newId(), newId()]
  const times = { started_at: at(0), ended_at: at(1) }
  const modelCall = (model: string, prompt_tokens: number) =>
    aCall({ project_id, trace_id, parent_id: root, ...times, summary: { usage: { [model]: { prompt_tokens } } } })
  await record(app.client, aCall({ project_id, trace_id, id: root, ...times }), modelCall('m', 10))
  const events = new EventEmitter()
  const [hasRead, goesOn] = [once(events, 'read'), once(events, 'go on')]
  const slow: DerivingStore = {
    isShared: true,
    insert: (table, block) => analytical.insert(table, block),
    rows: analytical.rows,
    async lazyRows(statement) {
      const calls = await analytical.lazyRows(statement)
      events.emit('read')
      await goesOn
      return calls as never
    },
  }
  const from = Date.parse(at(0)) * 1_000
  const settled = settleAgain(slow, [{ project_id, trace_id, from, until: from }])
  await hasRead
  await record(app.client, modelCall('n', 7))
  events.emit('go on')
  await settled
  const { traces } = await app.client.calls.traceTotals({ project_id, start, end: '2026-03-02T00:00:00Z' })
  expect(traces).toMatchObject([{ root_call_id: root, calls: 3, tokens: 17 }])
  const { groups } = await app.client.calls.usageTotals({ project_id, start, end: '2026-03-02T00:00:00Z', group_by: 'model' })
  expect(groups.map(({ key }) => key).toSorted()).toEqual(['m', 'n'])
})
