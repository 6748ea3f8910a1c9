import { gzipSync } from 'node:zlib'
import { type ApiError, isApiError, tracing } from '@heddle/core-api'
import type { ProjectLimits } from '@heddle/core-api/types'
import { createClient } from '@heddle/core-api/client'
import { sqlProjectLimitsStore } from '@heddle/identity'
import { createProjectLimiter } from '@heddle/service-kit'
import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, findCalls, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp, type TestClient, type TestServer } from '../../testing/start-test-app.ts'

/** The status of a request: 200, or that of its refusal. */
async function statusOf(request: Promise<unknown>): Promise<number> {
  try {
    await request
    return 200
  } catch (error) {
    if (!isApiError(error)) throw error
    return error.status
  }
}

const readOf = (client: TestClient, project_id: string) => client.projects.readTtlSettings({ project_id })

/** Response statuses of a number of sequential reads. */
async function statuses(client: TestClient, project_id: string, requests: number): Promise<number[]> {
  const all: number[] = []
  for (let request = 0; request < requests; request++) all.push(await statusOf(readOf(client, project_id)))
  return all
}

describe.each([
  { dialect: 'SQLite', options: {}, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
])('the limits of a project on $dialect', ({ dialect, options, isMissing }) => {
  const isWhole = dialect === 'SQLite'
  let app: TestApp
  const time = { nowMs: 0 }
  beforeAll(async () => {
    if (isMissing) return
    app = await startTestApp(options)
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  const limiterOf = (sharesStore = false) =>
    createProjectLimiter({ store: sqlProjectLimitsStore(app.stores.database), sharesStore, nowMs: () => time.nowMs })
  const aServer = async () => app.anotherServer({ limiter: limiterOf() })
  const ofRequests = ({ requests_per_minute: { limit, used, left } }: ProjectLimits) => ({ limit, used, left })

  test.skipIf(isMissing)('are none at first; what is set stays, also over a restart, until it is lifted', async () => {
    const project_id = app.newProject()
    const none = { limit: null, own_limit: null, server_limit: null, used: null, left: null }
    expect(await app.client.projects.readLimits({ project_id })).toEqual({
      requests_per_minute: none,
      requests_per_minute_per_key: none,
      ingested_bytes_per_day: none,
    })
    const set = await app.client.projects.updateLimits({ project_id, requests_per_minute: 100, requests_per_minute_per_key: 20 })
    expect(set.requests_per_minute).toEqual({ limit: 100, own_limit: 100, server_limit: null, used: 0, left: 6 })
    const restarted = await aServer()
    expect(await restarted.client.projects.readLimits({ project_id })).toEqual(set)
    const lifted = await restarted.client.projects.updateLimits({ project_id, requests_per_minute: null })
    expect(lifted).toEqual({ ...set, requests_per_minute: none })
  })

  test.skipIf(isMissing)('bound its requests, report what is left, and leave other projects alone', async () => {
    const server = await aServer()
    const [project_id, other] = [app.newProject(), app.newProject()]
    await server.client.projects.updateLimits({ project_id, requests_per_minute: 40 })
    expect(await statuses(server.client, project_id, 4)).toEqual([200, 200, 200, 429])
    const request = { path: '/project/ttl_settings/read', body: { project_id } }
    const refused = await sendRaw(server, request)
    expect(refused.status).toBe(429)
    expect(Object.fromEntries(['retry-after', 'ratelimit-policy', 'ratelimit'].map((name) => [name, refused.headers.get(name)]))).toEqual({
      'retry-after': '2',
      'ratelimit-policy': '"project";q=40;w=60',
      ratelimit: '"project";r=0;t=2',
    })
    expect(refused.body).toMatchObject({
      reason: expect.stringContaining(
        'the 40 requests a minute that it may get (requests_per_minute); send the request again after 2 s',
      ) as string,
      limit: { name: 'requests_per_minute', value: 40 },
    })
    const free = await sendRaw(server, { ...request, body: { project_id: other } })
    expect([free.status, free.headers.has('ratelimit'), free.headers.has('ratelimit-policy')]).toEqual([200, false, false])
    time.nowMs += 1_500
    expect(await statuses(server.client, project_id, 2)).toEqual([200, 429])
    expect(ofRequests(await server.client.projects.readLimits({ project_id }))).toEqual({ limit: 40, used: 4, left: 0 })
  })

  test.skipIf(isMissing)('of a key bound that key, and a session of a page by its key', async () => {
    const server = await aServer()
    const project_id = app.newProject()
    await server.client.projects.updateLimits({ project_id, requests_per_minute_per_key: 2 })
    const other = await server.clientFor({ name: 'other', role: 'reader' })
    expect(await statuses(server.client, project_id, 2)).toEqual([200, 429])
    expect(await statuses(other, project_id, 2)).toEqual([200, 429])
  })

  test.skipIf(isMissing)('do not count what a key may not do, or what cannot be read', async () => {
    const server = await aServer()
    const project_id = app.newProject()
    await server.client.projects.updateLimits({ project_id, requests_per_minute: 1 })
    const stranger = await server.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    expect(await statuses(stranger, project_id, 3)).toEqual([403, 403, 403])
    const named = { path: '/otel/v1/traces', body: { resourceSpans: [] }, headers: { project_id } }
    for (let request = 0; request < 3; request++) expect((await sendRaw(server, { ...named, body: '{"resourceSpans":' })).status).toBe(400)
    expect(await statuses(server.client, project_id, 2)).toEqual([200, 429])
  })

  test.skipIf(isMissing)('are set by who may delete in the project, also when they are reached, and read by who may read', async () => {
    const server = await aServer()
    const project_id = app.newProject()
    const clients = await Promise.all((['reader', 'writer', 'ingest'] as const).map((role) => server.clientFor({ name: role, role })))
    await server.client.projects.updateLimits({ project_id, requests_per_minute: 1 })
    expect(await statuses(server.client, project_id, 2)).toEqual([200, 429])
    const lift = (client: TestClient) => statusOf(client.projects.updateLimits({ project_id, requests_per_minute: null }))
    for (const client of clients) expect(await lift(client)).toBe(403)
    expect(await Promise.all(clients.map((client) => statusOf(client.projects.readLimits({ project_id }))))).toEqual([200, 200, 403])
    expect(await lift(server.client)).toBe(200)
    expect(await statuses(server.client, project_id, 2)).toEqual([200, 200])
  })

  test.skipIf(isMissing)('a change holds within 5 s on another server of the same stores', async () => {
    const project_id = app.newProject()
    const [here, beside] = [await app.anotherServer({ limiter: limiterOf(true) }), await app.anotherServer({ limiter: limiterOf(true) })]
    expect(await statuses(beside.client, project_id, 2)).toEqual([200, 200])
    await here.client.projects.updateLimits({ project_id, requests_per_minute: 1 })
    time.nowMs += 5_000
    expect(await statuses(beside.client, project_id, 2)).toEqual([200, 429])
  })

  test.skipIf(isMissing)(
    'count the bytes of the day, also over a restart and of several servers, and refuse more while reads work',
    async () => {
      const project_id = app.newProject()
      const servers = [limiterOf(true), limiterOf(true)]
      const [one, other] = await Promise.all(servers.map((limiter) => app.anotherServer({ limiter })))
      const call = aCall({ project_id })
      const body = JSON.stringify({ batch: [call] })
      const write = (server: TestServer) => sendRaw(server, { path: '/v2/test/project/calls/complete', body })
      await one!.client.projects.updateLimits({ project_id, ingested_bytes_per_day: 2 * body.length + 10 })
      time.nowMs += 5_000
      for (const server of [one!, other!]) expect((await write(server)).status).toBe(200)
      for (const limiter of servers) await limiter.close()

      const restarted = await aServer()
      const { ingested_bytes_per_day: bytes } = await restarted.client.projects.readLimits({ project_id })
      expect(bytes).toMatchObject({ used: 2 * body.length, left: 10 })
      const refused = await write(restarted)
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
      expect(refused.body).toMatchObject({ limit: { name: 'ingested_bytes_per_day', value: 2 * body.length + 10 } })
      expect(await findCalls(restarted.client, { project_id })).toHaveLength(1)
      expect(await restarted.client.calls.delete({ project_id, call_ids: [call.id] })).toEqual({ num_deleted: 1 })
      await restarted.client.projects.updateLimits({ project_id, ingested_bytes_per_day: null })
      expect((await write(restarted)).status).toBe(200)
    },
  )

  test.skipIf(isMissing).each(
    sliceOfCases(
      [
        [{ requests_per_minute: 0 }, 422],
        [{ requests_per_minute: 1_000_001 }, 422],
        [{ requests_per_minute_per_key: 1.5 }, 422],
        [{ requests_per_minute_per_key: 'many' }, 422],
        [{ ingested_bytes_per_day: 0 }, 422],
        [{ ingested_bytes_per_day: 2 ** 50 + 1 }, 422],
        [{ ingested_bytes_per_day: 2 ** 50 }, 200],
        [{ requests_per_minute: '600' }, 200],
        [{}, 200],
      ],
      { isWhole },
    ),
  )('%j is answered with %i', async (limits, status) => {
    expect((await sendRaw(app, { path: '/project/limits/update', body: { project_id: app.newProject(), ...limits } })).status).toBe(status)
  })

  sliceOfSuite({ isWhole })
})

describe('a request beyond the limits of its project', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  /** A project that has had all of its requests. */
  async function exhausted(): Promise<string> {
    const project_id = app.newProject()
    await app.client.projects.updateLimits({ project_id, requests_per_minute: 1 })
    expect(await statuses(app.client, project_id, 1)).toEqual([200])
    return project_id
  }

  const spansOf = (...projects: string[]) => ({
    resourceSpans: projects.map((id, index) => {
      const [entity = '', name = ''] = id.split('/')
      const attributes = Object.entries({ 'wandb.entity': entity, 'wandb.project': name }).map(([key, stringValue]) => ({
        key,
        value: { stringValue },
      }))
      const span = { traceId: newTraceId(), spanId: `010203040506070${index}`, name: 'span', startTimeUnixNano: '1', endTimeUnixNano: '2' }
      return { resource: { attributes }, scopeSpans: [{ spans: [span] }] }
    }),
  })
  const newTraceId = () => newId().replaceAll('-', '')

  test('with spans is refused as exporters repeat it, as a whole where one of its projects is beyond them', async () => {
    const [full, other] = [await exhausted(), app.newProject()]
    for (const body of [spansOf(full), spansOf(other, full)]) {
      const { status, headers, body: error } = await sendRaw(app, { path: '/otel/v1/traces', body })
      expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
      expect(error).toMatchObject({ limit: { name: 'requests_per_minute' } })
    }
    expect(await findCalls(app.client, { project_id: other })).toEqual([])
  })

  test('with a batch of calls stores none of them', async () => {
    const [full, other] = [await exhausted(), app.newProject()]
    const calls = [aCall({ project_id: other }), aCall({ project_id: full })]
    expect(await statusOf(record(app.client, ...calls))).toBe(429)
    expect(await findCalls(app.client, { project_id: other })).toEqual([])
  })

  test.each([
    ['the headers name the project', { headers: (project_id: string) => ({ project_id }), key: {} }],
    ['the key is for one project alone', { headers: () => ({}), key: { isOfProject: true } }],
  ])('is refused before its body is read where %s', async (_, { headers, key }) => {
    const project_id = await exhausted()
    const projects = [{ project_id, role: 'writer' as const }]
    const { secret } = await app.identity.createKey({ name: 'sender', role: 'writer', ...('isOfProject' in key && { projects }) })
    let pulled = 0
    const body = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const sent = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers(project_id) }
    const request = new Request('http://heddle.test/otel/v1/traces', { method: 'POST', headers: sent, body, duplex: 'half' } as RequestInit)
    expect((await app.service.fetch(request)).status).toBe(429)
    expect(pulled).toBe(0)
  })

  describe('of bytes', () => {
    const used = async (project_id: string) => (await app.client.projects.readLimits({ project_id })).ingested_bytes_per_day.used
    const limited = async (ingested_bytes_per_day: number) => {
      const project_id = app.newProject()
      await app.client.projects.updateLimits({ project_id, ingested_bytes_per_day })
      return project_id
    }

    test('counts a packed body as it is unpacked', async () => {
      const project_id = await limited(10_000)
      const body = JSON.stringify(spansOf(project_id))
      const sent = { path: '/otel/v1/traces', body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }
      const { status, headers } = await sendRaw(app, { ...sent, headers: { ...sent.headers, 'content-type': 'application/json' } })
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe('"bytes";q=10000;qu="content-bytes";w=86400')
      expect(headers.get('ratelimit')).toContain(`"bytes";r=${10_000 - body.length};t=`)
      expect(await used(project_id)).toBe(body.length)
    })

    test('counts a file with the form around it', async () => {
      const project_id = await limited(10_000)
      const files = [{ field: 'file', filename: 'f', content_type: 'text/plain', bytes: new Uint8Array(2_000) }]
      await app.client.files.create({ project_id, files })
      expect(await used(project_id)).toBeGreaterThan(2_000)
      expect(await used(project_id)).toBeLessThan(3_000)
      expect(await statusOf(app.client.files.create({ project_id, files: [{ ...files[0]!, bytes: new Uint8Array(9_000) }] }))).toBe(429)
    })

    test('does not count what is refused', async () => {
      const project_id = await limited(10_000)
      expect((await sendRaw(app, { path: '/call/start', body: { start: { project_id, op_name: 1 } } })).status).toBe(422)
      expect((await sendRaw(app, { path: '/table/create', body: { table: { project_id, rows: [1] } } })).status).toBeGreaterThanOrEqual(400)
      expect(await used(project_id)).toBe(0)
    })

    test('is 413 for a body beyond the whole day, which clients split', async () => {
      const project_id = await limited(100)
      expect((await sendRaw(app, { path: '/otel/v1/traces', body: spansOf(project_id) })).status).toBe(413)
      expect(await used(project_id)).toBe(0)
    })

    test('is reported before a body with a declared length is read', async () => {
      const project_id = await limited(100)
      const headers = { project_id, 'content-length': '101' }
      const refused = await sendRaw(app, { path: '/otel/v1/traces', body: ' '.repeat(101), headers })
      expect([refused.status, refused.body]).toEqual([413, { reason: expect.stringContaining('the body has 101 bytes') as string }])
    })
  })

  test('of a client that starts is refused, since it repeats that', async () => {
    const [entityName, modelName] = (await exhausted()).split('/')
    const query = 'query Model($entityName: String, $name: String) { project(name: $name, entityName: $entityName) { name } }'
    const body = { query, variables: { entityName, name: modelName } }
    expect((await sendRaw(app, { path: '/graphql', body })).status).toBe(429)
  })

  test('succeeds when the typed client repeats it as `Retry-After` says', async () => {
    const project_id = app.newProject()
    await app.client.projects.updateLimits({ project_id, requests_per_minute: 60 })
    const client = createClient({
      baseUrl: 'http://heddle.test',
      contract: tracing,
      apiKey: app.apiKey,
      fetch: (input, init) => app.service.fetch(new Request(input, init)),
    })
    const started = performance.now()
    for (let request = 0; request < 5; request++) await readOf(client, project_id)
    expect(performance.now() - started).toBeGreaterThan(900)
  })

  // However slow the machine is: what a full bucket gains is lost, so that only the burst is sure to be accepted before the first refusal.
  test('holds on the clock of the machine: what is accepted is the burst, and then no more than the rate', async () => {
    const project_id = app.newProject()
    await app.client.projects.updateLimits({ project_id, requests_per_minute: 1_200 })
    const perMs = 1_200 / 60_000
    const senders = 4
    const started = performance.now()
    let accepted = 0
    let refused = 0
    let acceptedAgain = 0
    const sendOn = async () => {
      while (acceptedAgain < 10) {
        const answer = await readOf(app.client, project_id).catch((error: ApiError) => error.status)
        if (answer !== 429) {
          accepted++
          if (refused > 0) acceptedAgain++
        } else {
          refused++
          // Some may have been accepted by requests that are still open.
          expect(accepted + senders - 1).toBeGreaterThanOrEqual(60)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }
    }
    await Promise.all(Array.from({ length: senders }, sendOn))
    expect(accepted).toBeLessThanOrEqual(61 + perMs * (performance.now() - started))
  })
})
