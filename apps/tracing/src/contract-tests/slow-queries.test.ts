import { sql, type Analytical, type Queries } from '@heddle/datastore'
import { createAdmission, defaultAdmissionLimits } from '@heddle/service-kit'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestServer } from '../testing/start-test-app.ts'
import { aCall, findCalls, record } from './testing/call-builders.ts'

/** Far less than the statements of these tests would take. */
const patience = { timeout: 25_000 }
const admission = createAdmission({
  limits: { statements: { ...defaultAdmissionLimits.statements, queueTimeoutMs: 400, waitingOfProject: 20 } },
})
const { runningOfProject } = defaultAdmissionLimits.statements

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ service: { admission }, own: {} })
})
afterAll(() => app.close())

/** Minutes of work, which the list of running statements shows by the name of its result. */
const endless = sql`SELECT sum(sipHash64(number)) AS endless_work FROM numbers(1000000000000)`
const endlessInEngine = async () => {
  const [row] = await app.stores.analytical.rows<{ count: number }>(
    sql`SELECT toFloat64(count()) AS count FROM system.processes WHERE position(query, concat('endless', '_work')) > 0`,
  )
  return row?.count
}

/** A server on which each query of one project takes minutes. */
async function serverWithSlow(project: string): Promise<TestServer> {
  const { analytical } = app.stores
  const slowed = (queries: Queries): Queries => ({ ...queries, rows: () => queries.rows(endless) })
  const slow: Analytical = {
    ...analytical,
    of: (scope) => (scope.tenant?.project === project ? slowed(analytical.of(scope)) : analytical.of(scope)),
  }
  return app.anotherServer({ analytical: slow })
}

test('while slow queries of one project hold all its permits, other projects are answered, and queries of clients that leave are cancelled in the engine', async () => {
  const [bulk, interactive] = [app.newProject(), app.newProject()]
  await record(app.client, aCall({ project_id: bulk }))
  const call = aCall({ project_id: interactive })
  await record(app.client, call)
  const server = await serverWithSlow(bulk)
  const clients = Array.from({ length: 12 }, () => new AbortController())
  const slow = clients.map(({ signal }) => server.client.calls.queryStats({ project_id: bulk }, { signal }))
  const answers = Promise.allSettled(slow)
  await expect.poll(endlessInEngine, patience).toBe(runningOfProject)

  // By the same key and by another one.
  const other = await server.clientFor({ name: 'other', role: 'writer' })
  for (const client of [server.client, other]) {
    expect(await client.calls.read({ project_id: interactive, id: call.id })).toMatchObject({ call: { id: call.id } })
    expect(await client.calls.queryStats({ project_id: interactive })).toMatchObject({ count: 1 })
  }
  expect(await endlessInEngine()).toBe(runningOfProject)

  for (const client of clients) client.abort()
  await answers
  await expect.poll(endlessInEngine, patience).toBe(0)
  await expect.poll(() => admission.statements.running, patience).toBe(0)
})

test('a query that gets no turn in time is refused with 429 and when to come again', async () => {
  const bulk = app.newProject()
  await record(app.client, aCall({ project_id: bulk }))
  const server = await serverWithSlow(bulk)
  const gone = new AbortController()
  const ask = (signal?: AbortSignal) => server.client.calls.queryStats({ project_id: bulk }, signal ? { signal } : {})
  const slow = Promise.allSettled(Array.from({ length: runningOfProject }, () => ask(gone.signal)))
  await expect.poll(() => admission.statements.running, patience).toBe(runningOfProject)
  await expect(ask()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 })
  gone.abort()
  await slow
})

describe('the first read after a request that ran into its time limit is right', () => {
  const reads = {
    query_stats: ({ client }, project_id) => client.calls.queryStats({ project_id }).then(({ count }) => count),
    stream_query: ({ client }, project_id) => findCalls(client, { project_id, limit: 10 }).then((calls) => calls.length),
    stats: ({ client }, project_id) =>
      client.calls
        .stats({
          project_id,
          start: '2026-02-28T00:00:00Z',
          end: '2026-03-02T00:00:00Z',
          call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
        })
        .then(({ call_buckets }) => call_buckets.reduce((sum, bucket) => sum + Number(bucket['sum_call_count'] ?? 0), 0)),
  } satisfies Record<string, (server: TestServer, project_id: string) => Promise<number>>

  test.each(Object.entries(reads))('%s', { timeout: 120_000 }, async (_, read) => {
    const { analytical } = app.stores
    let isSlow = false
    const limits = { maxSeconds: 1 }
    const limited = (queries: Queries): Queries => ({
      rows: (statement, given) => (isSlow ? queries.rows(endless, limits) : queries.rows(statement, given)),
      lazyRows: queries.lazyRows,
      blocks: (statement, given) => (isSlow ? queries.blocks(endless, limits) : queries.blocks(statement, given)),
      parquet: queries.parquet,
    })
    const server = await app.anotherServer({ analytical: { ...analytical, of: (scope) => limited(analytical.of(scope)) } })
    const project_id = app.newProject()
    await record(server.client, ...Array.from({ length: 3 }, () => aCall({ project_id })))
    isSlow = true
    await expect(read(server, project_id)).rejects.toMatchObject({ status: 504 })
    isSlow = false
    expect(await read(server, project_id)).toBe(3)
    await record(server.client, aCall({ project_id }))
    expect(await read(server, project_id)).toBe(4)
  })
})

test('a project that searches for thousands of texts at once keeps no other from its answers', async () => {
  const calls = trials({ usual: 200, long: 40_000 })
  const [queries, texts] = [trials({ usual: 6, long: 12 }), trials({ usual: 40, long: 600 })]
  const [bulk, interactive] = [app.newProject(), app.newProject()]
  const quiet = aCall({ project_id: interactive })
  await record(app.client, quiet)
  for (let at = 0; at < calls; at += 200)
    await record(
      app.client,
      ...Array.from({ length: 200 }, () => aCall({ project_id: bulk, inputs: { prompt: 'some words '.repeat(30) } })),
    )
  const search = (query: number) => ({
    $or: Array.from({ length: texts }, (_, text) => ({
      $contains: { input: { $getField: 'inputs.prompt' }, substr: { $literal: `no ${query} ${text}` } },
    })),
  })
  let left = queries
  const searches = Array.from({ length: queries }, (_, query) =>
    app.client.calls
      .queryStats({ project_id: bulk, query: { $expr: search(query) } })
      .then(
        () => 200,
        ({ status }: { status: number }) => status,
      )
      .finally(() => left--),
  )
  do {
    expect(await app.client.calls.read({ project_id: interactive, id: quiet.id })).toMatchObject({ call: { id: quiet.id } })
  } while (left > 0)
  for (const status of await Promise.all(searches)) expect([200, 429, 504]).toContain(status)
}, 300_000)
