import { randomBytes } from 'node:crypto'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient, type TestServer } from '../testing/start-test-app.ts'
import { micros } from '../testing/system-micros.ts'
import { aCall, readCall, record } from './testing/call-builders.ts'
import { aFeedback, callRef, equals } from './testing/feedback-builders.ts'
import { sendRaw } from './testing/send-raw.ts'

const hour = 3_600_000_000
const year = 8_766 * hour
/** Time of the server's clock before each step, relative to the right time. */
const jumps = [0, 10 * year, -10 * year, -1, ...(inject('long') ? [-2, hour, -hour] : [])]

const settings = [
  { name: 'on one server that starts again after each jump', postgres: false },
  { name: 'on two servers over one PostgreSQL, in turns', postgres: true },
]

// Which order counts is that of the answers: what is acknowledged later wins, whatever time it was by the clock.
describe.each(settings)('a clock that jumps, $name', ({ postgres }) => {
  const postgresUrl = inject('postgresUrl')
  const runs = postgres && postgresUrl === '' ? test.skip : test
  let app: TestApp
  let servers: TestServer[]
  let offset = 0
  const clock = { clock: () => micros() + offset }
  beforeAll(async () => {
    app = await startTestApp({ ...(postgres && { postgresUrl }), service: clock })
    servers = postgres ? [app, await app.anotherServer(clock)] : [app]
  })
  afterAll(() => app.close())

  /** Does a step after each jump, on the next server or after a restart. Returns what the steps answered. */
  async function throughJumps<T>(step: (server: TestServer, index: number) => Promise<T>): Promise<T[]> {
    const answers: T[] = []
    for (const [index, jump] of jumps.entries()) {
      offset = jump
      if (!postgres) {
        await servers[0]?.service.close()
        servers = [await app.anotherServer(clock)]
      }
      answers.push(await step(servers[index % servers.length] as TestServer, index))
    }
    return answers
  }
  const last = jumps.length - 1
  const client = (): TestClient => (servers[0] as TestServer).client

  runs('the last of many spans of one id counts, and every other span stays', async () => {
    const project = app.newProject()
    const traceId = randomBytes(16).toString('hex')
    const again = randomBytes(8).toString('hex')
    const ids = await throughJumps(async (server, index) => {
      const own = randomBytes(8).toString('hex')
      const attributes = [{ key: 'input', value: { intValue: index } }]
      const spans = [again, own].map((spanId) => ({ traceId, spanId, name: 'span', startTimeUnixNano: '1772323200000000000', attributes }))
      const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] }
      expect((await sendRaw(server, { path: '/otel/v1/traces', body, headers: { project_id: project } })).status).toBe(200)
      return own
    })
    expect(await readCall(client(), { project_id: project, id: again })).toMatchObject({ inputs: { input: last } })
    const { count } = await client().calls.queryStats({ project_id: project })
    expect(count).toBe(1 + ids.length)
  })

  runs('a call that was deleted stays deleted, and one that was renamed has its last name', async () => {
    const project_id = app.newProject()
    const [renamed, gone] = [aCall({ project_id }), aCall({ project_id })]
    await record(app.client, renamed, gone)
    await throughJumps(async (server, index) => {
      await server.client.calls.update({ project_id, call_id: renamed.id, display_name: `name ${index}` })
      if (index === 2) await server.client.calls.delete({ project_id, call_ids: [gone.id] })
      if (index > 2) await record(server.client, gone)
    })
    expect(await readCall(client(), renamed)).toMatchObject({ display_name: `name ${last}` })
    expect((await client().calls.read({ project_id, id: gone.id })).call).toBeNull()
  })

  runs('versions of an object keep the order in which they were published, also when the latest is deleted', async () => {
    const project_id = app.newProject()
    const digests = await throughJumps(async (server, index) => {
      const { digest } = await server.client.objects.create({ obj: { project_id, object_id: 'thing', val: { index } } })
      return digest
    })
    const { objs } = await client().objects.query({ project_id, sort_by: [{ field: 'created_at', direction: 'asc' }] })
    expect(objs.map(({ digest }) => digest)).toEqual(digests)
    expect(objs.map(({ version_index }) => version_index)).toEqual(digests.map((_, index) => index))
    for (let newest = last; newest > 0; newest--) {
      const { obj } = await client().objects.read({ project_id, object_id: 'thing', digest: 'latest' })
      expect(obj.digest).toBe(digests[newest])
      await client().objects.delete({ project_id, object_id: 'thing', digests: [obj.digest] })
    }
  })

  runs('an object that is published again is the latest, and an alias stands where it was set last', async () => {
    const project_id = app.newProject()
    const publish = async (server: TestServer, value: string) =>
      (await server.client.objects.create({ obj: { project_id, object_id: 'thing', val: { value } } })).digest
    const digests = await throughJumps(async (server, index) => {
      const digest = await publish(server, index % 2 === 0 ? 'even' : 'odd')
      await server.client.objects.setAliases({ project_id, object_id: 'thing', digest, aliases: ['best'] })
      return digest
    })
    for (const version of ['latest', 'best']) {
      const { obj } = await client().objects.read({ project_id, object_id: 'thing', digest: version })
      expect(obj.digest).toBe(digests[last])
    }
  })

  runs('feedback that was purged stays away, and all other feedback stays', async () => {
    const project_id = app.newProject()
    const weave_ref = callRef(project_id, 'c')
    const ids = await throughJumps(async (server, index) => {
      const { id } = await server.client.feedback.create(aFeedback({ project_id, weave_ref, payload: { index } }))
      if (index % 2 === 1) await server.client.feedback.purge({ project_id, query: equals('id', id) })
      return id
    })
    const { result } = await client().feedback.query({ project_id })
    expect(result.map((each) => each['id']).toSorted()).toEqual(ids.filter((_, index) => index % 2 === 0).toSorted())
  })

  runs('tables, files and prices that were stored are all there', async () => {
    const project_id = app.newProject()
    const stored = await throughJumps(async (server, index) => {
      const table = await server.client.tables.create({ table: { project_id, rows: [{ index }, { same: true }] } })
      const part = { field: 'file', filename: 'f', content_type: undefined, bytes: Buffer.from(`file ${index}`) }
      const file = await server.client.files.create({ project_id, files: [part] })
      await server.client.costs.create({ project_id, costs: { model: { prompt_token_cost: index, completion_token_cost: 0 } } })
      return { table: table.digest, file: file.digest }
    })
    for (const [index, { table, file }] of stored.entries()) {
      const { rows } = await client().tables.query({ project_id, digest: table })
      expect(rows.map(({ val }) => val)).toEqual([{ index }, { same: true }])
      expect(Buffer.from((await client().files.content({ project_id, digest: file })).bytes).toString()).toBe(`file ${index}`)
    }
    const { results } = await client().costs.query({ project_id })
    expect(results.map((price) => price.prompt_token_cost).toSorted()).toEqual(jumps.map((_, index) => index))
  })

  runs('a price that says from when it counts does so, whenever it was made', async () => {
    const project_id = app.newProject()
    await throughJumps(async (server, index) => {
      const price = { prompt_token_cost: index, completion_token_cost: 0, effective_date: `2026-01-0${index + 1}T00:00:00Z` }
      await server.client.costs.create({ project_id, costs: { model: price } })
    })
    const call = aCall({
      project_id,
      started_at: '2026-01-04T12:00:00Z',
      summary: { usage: { model: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1, requests: 1 } } },
    })
    await record(client(), call)
    const read = await client().calls.read({ project_id, id: call.id, include_costs: true })
    expect(JSON.stringify(read.call?.summary)).toContain('"prompt_token_cost":3')
  })

  runs('a key that is not expired and not revoked opens the service at any time', async () => {
    const secret = (await app.identity.createKey({ name: 'key', role: 'reader' })).secret
    const statuses = await throughJumps(
      async (server) => (await sendRaw(server, { path: '/calls/query_stats', body: { project_id: 'a/b' }, apiKey: secret })).status,
    )
    expect(statuses).toEqual(jumps.map(() => 200))
  })

  sliceOfSuite({ isWhole: !postgres })
})
