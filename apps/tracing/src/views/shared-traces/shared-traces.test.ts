import { inspect } from 'node:util'
import { isApiError, type Operation, tracing } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { createClient } from '@heddle/core-api/client'
import { hashToken } from '@heddle/identity'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { aCall, findCalls, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp, type TestClient, type TestServer } from '../../testing/start-test-app.ts'
import { sharedTraceLimits } from './shared-trace-limits.ts'
import { sqlSharedTracesStore } from './shared-traces-store.sql.ts'

/** A client without a key. */
const stranger = ({ service }: Pick<TestServer, 'service'>, apiKey?: string): TestClient =>
  createClient({
    baseUrl: 'http://heddle.test',
    contract: tracing,
    retries: 0,
    fetch: (input, init) => service.fetch(new Request(input, init)),
    ...(apiKey !== undefined && { apiKey }),
  })

async function listOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}

/** Status and reason of a refusal. */
async function refusalOf(request: Promise<unknown>): Promise<[number, string]> {
  try {
    await request
    return [200, '']
  } catch (error) {
    if (!isApiError(error)) throw error
    return [error.status, error.message]
  }
}

const statusOf = async (request: Promise<unknown>) => (await refusalOf(request))[0]

/** What the operations of a token answer. */
const readAll = (client: TestClient, token: string, call_id = 'c') =>
  Promise.all([
    refusalOf(client.sharedTraces.read({ token })),
    refusalOf(listOf(client.sharedTraces.streamTrace({ token }))),
    refusalOf(listOf(client.sharedTraces.streamCalls({ token }))),
    refusalOf(client.sharedTraces.readCall({ token, call_id })),
  ])

const unusable = [
  404,
  'this link shows nothing: it has expired or was revoked, its trace was deleted, or it is incomplete; ask for a new one',
]
const allUnusable = [unusable, unusable, unusable, unusable]
const day = 24 * 3_600 * 1_000_000

describe.each(['sqlite', 'postgres'] as const)('public links on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  const time = { now: 1_800_000_000_000_000 }
  const lines: string[] = []
  const keep = (...line: unknown[]) => void lines.push(inspect(line, { depth: 9 }))
  let app: TestApp
  let nobody: TestClient
  let project_id: string
  let trace_id: string
  let calls: ReturnType<typeof aCall>[]

  beforeAll(async () => {
    const service = { clock: () => time.now, log: { info: keep, error: keep } }
    app = await startTestApp({ ...(kind === 'postgres' && { postgresUrl }), service })
    nobody = stranger(app)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    project_id = app.newProject()
    const root = aCall({ project_id, inputs: { question: 'why' }, output: { answer: 'because' }, attributes: { kind: 'agent' } })
    trace_id = root.trace_id
    calls = [root, aCall({ project_id, trace_id, parent_id: root.id, inputs: { step: 1 }, summary: { usage: { m: { total_tokens: 3 } } } })]
    await record(app.client, ...calls, aCall({ project_id, inputs: { other: 'trace' } }))
  })

  const create = (more: { expires_in_days?: number; trace_id?: string } = {}, server: Pick<TestServer, 'client'> = app) =>
    server.client.sharedTraces.create({ project_id, trace_id, ...more })
  const list = async (more: { trace_id?: string; limit?: number; offset?: number } = {}) =>
    app.client.sharedTraces.list({ project_id, ...more })
  const callsOf = (token: string, more: object = {}) => listOf(nobody.sharedTraces.streamCalls({ token, ...more }))

  test('shows the calls of its trace to who has no key, as their project sees them but for who recorded them', async () => {
    const { shared_trace, token } = await create({ expires_in_days: 7 })
    const expires_at = new Date((time.now + 7 * day) / 1_000).toISOString().replace('.000Z', 'Z')
    expect(token).toMatch(/^ht_[A-Za-z0-9_-]{43}$/)
    expect(shared_trace).toMatchObject({ trace_id, created_by: 'tester', expires_at })
    expect(await nobody.sharedTraces.read({ token })).toEqual({ trace_id, expires_at })
    const own = await findCalls(app.client, { project_id, filter: { trace_ids: [trace_id] } })
    expect(own.map(({ wb_user_id }) => wb_user_id)).toEqual(['tester', 'tester'])
    const shown = own.map((call): Call => ({ ...call, wb_user_id: null }))
    expect(await callsOf(token)).toEqual(shown)
    expect(await callsOf(token, { call_ids: [calls[1]!.id] })).toEqual([shown[1]])
    expect(await callsOf(token, { limit: 1, offset: 1 })).toEqual([shown[1]])
    expect(await nobody.sharedTraces.readCall({ token, call_id: calls[0]!.id })).toEqual({ call: shown[0] })
    const tree = (client: 'ours' | 'theirs') =>
      listOf(
        client === 'ours'
          ? app.client.calls.streamTrace({ project_id, call_id: calls[1]!.id })
          : nobody.sharedTraces.streamTrace({ token, limit: 2 }),
      )
    expect(await tree('theirs')).toEqual(await tree('ours'))
    expect((await tree('theirs')).map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
    const [first] = await callsOf(token, { columns: ['id', 'op_name', 'started_at', 'ended_at'] })
    expect(first).toMatchObject({ id: calls[0]!.id, ended_at: shown[0]!.ended_at, inputs: {}, output: null, attributes: {} })
    const added = aCall({ project_id, trace_id })
    await record(app.client, added)
    expect((await callsOf(token)).map(({ id }) => id)).toContain(added.id)
  })

  test('shows nothing of other traces, of feedback or of other projects', async () => {
    const other = aCall({ project_id, inputs: { canary: 'other trace' } })
    const elsewhere = aCall({ project_id: app.newProject(), trace_id, inputs: { canary: 'other project' } })
    const naming = aCall({ project_id, trace_id, inputs: { ref: `weave:///${elsewhere.project_id}/object/canary:v1` } })
    await record(app.client, other, elsewhere, naming)
    const about = { weave_ref: `weave:///${project_id}/call/${calls[0]!.id}`, feedback_type: 'note', payload: { canary: 'note' } }
    await app.client.feedback.create({ project_id, ...about })
    const { token } = await create()
    const ids = [other.id, elsewhere.id]
    expect(await callsOf(token, { call_ids: ids })).toEqual([])
    for (const call_id of ids) expect(await nobody.sharedTraces.readCall({ token, call_id })).toEqual({ call: null })
    const tree = await listOf(nobody.sharedTraces.streamTrace({ token }))
    expect(tree.map(({ id }) => id).toSorted()).toEqual([...calls, naming].map(({ id }) => id).toSorted())
    const shown = JSON.stringify([tree, await callsOf(token), await nobody.sharedTraces.readCall({ token, call_id: naming.id })])
    expect(shown).toContain('weave-private:///')
    for (const hidden of ['other trace', 'other project', 'note', elsewhere.project_id]) expect(shown).not.toContain(hidden)
  })

  test('is made only for a trace of the project', async () => {
    const foreign = aCall({ project_id: app.newProject() })
    await record(app.client, foreign)
    for (const wanted of [foreign.trace_id, newId(), ''])
      expect([wanted, await statusOf(create({ trace_id: wanted }))]).toEqual([wanted, 404])
    expect(await statusOf(create({ trace_id: '\0' }))).toBe(400)
    for (const expires_in_days of [0, 366, 1.5]) expect(await statusOf(create({ expires_in_days }))).toBe(422)
    expect((await list()).shared_traces).toEqual([])
  })

  test('is made and deleted by keys that read and write, and listed by those that read', async () => {
    const clientOf = (role: 'reader' | 'writer' | 'ingest') => app.clientFor({ name: role, role })
    const [reader, writer, ingest] = [await clientOf('reader'), await clientOf('writer'), await clientOf('ingest')]
    const made = await writer.sharedTraces.create({ project_id, trace_id })
    const { id } = made.shared_trace
    for (const client of [reader, ingest]) expect(await statusOf(client.sharedTraces.create({ project_id, trace_id }))).toBe(403)
    expect(await reader.sharedTraces.list({ project_id })).toEqual({ shared_traces: [made.shared_trace], has_more: false })
    expect(await statusOf(reader.sharedTraces.delete({ project_id, id }))).toBe(403)
    expect(await statusOf(ingest.sharedTraces.list({ project_id }))).toBe(403)
    await writer.sharedTraces.delete({ project_id, id })
    expect((await list()).shared_traces).toEqual([])
  })

  test('shows nothing as soon as it is deleted, at any server, and is deleted once', async () => {
    const { shared_trace, token } = await create()
    const kept = await create()
    const another = await app.anotherServer()
    const elsewhere = stranger(another)
    expect(await elsewhere.sharedTraces.read({ token })).toMatchObject({ trace_id })
    const { id } = shared_trace
    await app.client.sharedTraces.delete({ project_id: app.newProject(), id })
    expect(await statusOf(nobody.sharedTraces.read({ token }))).toBe(200)
    for (const _ of [1, 2]) expect(await app.client.sharedTraces.delete({ project_id, id })).toEqual({})
    expect(await readAll(nobody, token, calls[0]!.id)).toEqual(allUnusable)
    expect(await readAll(elsewhere, token, calls[0]!.id)).toEqual(allUnusable)
    expect(await statusOf(nobody.sharedTraces.read({ token: kept.token }))).toBe(200)
    expect(await app.client.sharedTraces.delete({ project_id, id: '\0' })).toEqual({})
  })

  test('shows nothing from its end on, is no longer listed, and is removed', async () => {
    const { token, shared_trace } = await create({ expires_in_days: 1 })
    const longer = await create({ expires_in_days: 365 })
    time.now += day - 1
    expect(await statusOf(nobody.sharedTraces.read({ token }))).toBe(200)
    expect((await list()).shared_traces).toHaveLength(2)
    time.now += 1
    expect(await readAll(nobody, token, calls[0]!.id)).toEqual(allUnusable)
    expect((await list()).shared_traces).toEqual([longer.shared_trace])
    const stored = async () => {
      const rows = await app.stores.database.selectFrom('shared_traces').select('id').where('project_id', '=', project_id).execute()
      return rows.map(({ id }) => id)
    }
    expect(await stored()).toContain(shared_trace.id)
    await sqlSharedTracesStore(app.stores.database).deleteExpired(time.now)
    expect(await stored()).toEqual([longer.shared_trace.id])
  })

  test('shows nothing once its trace is deleted, nor where the token is unknown or incomplete', async () => {
    const { token } = await create()
    const unknown = `ht_${'a'.repeat(43)}`
    for (const each of [unknown, token.slice(0, -1), token.slice(3), '', '\0', hashToken(token)])
      expect(await readAll(nobody, each, calls[0]!.id)).toEqual(allUnusable)
    await app.client.calls.delete({ project_id, call_ids: calls.map(({ id }) => id) })
    expect(await readAll(nobody, token, calls[0]!.id)).toEqual(allUnusable)
    expect(await statusOf(create())).toBe(404)
  })

  test('of its token the server keeps a hash alone, and neither lists, audits nor logs it', async () => {
    const { token, shared_trace } = await create()
    const readId = { token, call_id: calls[0]!.id }
    await Promise.all([callsOf(token), nobody.sharedTraces.read({ token }), nobody.sharedTraces.readCall(readId)])
    await refusalOf(nobody.sharedTraces.readCall({ ...readId, token: `${token}x` }))
    await app.client.sharedTraces.delete({ project_id, id: shared_trace.id })
    await readAll(nobody, token)
    const again = await create()
    const rows = await app.stores.database.selectFrom('shared_traces').selectAll().where('project_id', '=', project_id).execute()
    expect(rows.map(({ hash }) => hash)).toEqual([hashToken(again.token)])
    const { entries } = await app.client.auditLog.query({ project_id })
    expect(entries.map(({ operation, details, outcome, user_id }) => [operation, JSON.parse(details), outcome, user_id])).toEqual([
      ['sharedTraces.create', { trace_id, expires_in_days: 30 }, 'succeeded', 'tester'],
      ['sharedTraces.delete', { id: shared_trace.id }, 'succeeded', 'tester'],
      ['sharedTraces.create', { trace_id, expires_in_days: 30 }, 'succeeded', 'tester'],
    ])
    const told = JSON.stringify([rows, entries, await list(), lines])
    for (const secret of [token, again.token]) expect(told).not.toContain(secret.slice(3))
  })

  test('its token is not a key: every operation that needs one refuses it', async () => {
    const { token } = await create()
    const keyed = Object.values<Record<string, Operation>>(tracing).flatMap((group) => Object.values(group).filter(({ open }) => !open))
    expect(keyed.length).toBeGreaterThan(100)
    for (const { method, path } of keyed) {
      const at = path.replaceAll(/\{\w+\}/g, 'x')
      const body = method === 'GET' ? {} : { body: { project_id } }
      expect([path, (await sendRaw(app, { method, path: at, apiKey: token, ...body })).status]).toEqual([path, 401])
    }
  })

  test('more requests of it than fit in a minute are refused with the time to wait, and others are not', async () => {
    const [{ token }, other] = [await create(), await create()]
    const send = (body: object) => sendRaw(app, { path: '/trace/shared/read', apiKey: null, body })
    const answers = await Promise.all(Array.from({ length: 150 }, () => send({ token })))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(sharedTraceLimits.requestsPerMinute / 20)
    expect(refused.length).toBeGreaterThan(5)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(refused[0]?.text).toContain('this link was used more than 600 times in a minute; send the request again after 1 s')
    expect((await send({ token: other.token })).status).toBe(200)
  })

  test('pages of links end where there are no more', async () => {
    const made: string[] = []
    for (const _ of [1, 2, 3]) made.unshift((await create()).shared_trace.id)
    const ids = async (more: Parameters<typeof list>[0]) => {
      const { shared_traces, has_more } = await list(more)
      return [shared_traces.map(({ id }) => id), has_more]
    }
    expect(await ids({ limit: 2 })).toEqual([made.slice(0, 2), true])
    expect(await ids({ limit: 2, offset: 2 })).toEqual([made.slice(2), false])
    expect(await ids({ trace_id })).toEqual([made, false])
    expect(await ids({ trace_id: newId() })).toEqual([[], false])
    expect(await ids({ trace_id: '\0' })).toEqual([[], false])
  })

  test('of links that are created at once no more than a thousand are stored; expired ones do not count', async () => {
    const { perProject } = sharedTraceLimits
    const link = (at: number) => {
      const id = newId()
      const times = { created_at: time.now, expires_at: time.now + (at === 0 ? 0 : day) }
      return { project_id, id, hash: hashToken(id), trace_id, created_by: 'tester', ...times }
    }
    await app.stores.database
      .insertInto('shared_traces')
      .values(Array.from({ length: perProject - 1 }, (_, at) => link(at)))
      .execute()
    const created = await Promise.all(Array.from({ length: 4 }, () => refusalOf(create())))
    expect(created.map(([status]) => status).toSorted()).toEqual([200, 200, 400, 400])
    expect(created.find(([status]) => status === 400)?.[1]).toContain('has 1000 links to traces, which is the most; delete one first')
    const { shared_traces } = await list({ limit: 1_000 })
    expect(shared_traces).toHaveLength(perProject)
    await app.client.sharedTraces.delete({ project_id, id: shared_traces[5]!.id })
    expect(await statusOf(create())).toBe(200)
  })

  test('where the operator has switched them off, none is made and none shows anything; they are still listed and deleted', async () => {
    const { shared_trace, token } = await create()
    const off = await app.anotherServer({ publicLinks: false })
    const [status, reason] = await refusalOf(create({}, off))
    await expect(create({}, off)).rejects.toMatchObject({ extra: { setting: 'HEDDLE_PUBLIC_LINKS' } })
    expect([status, reason]).toEqual([403, expect.stringMatching(/HEDDLE_PUBLIC_LINKS is off\); ask its operator/)])
    expect(await readAll(stranger(off), token, calls[0]!.id)).toEqual(allUnusable)
    expect(await off.client.sharedTraces.list({ project_id })).toMatchObject({ shared_traces: [shared_trace] })
    await off.client.sharedTraces.delete({ project_id, id: shared_trace.id })
    expect(await statusOf(nobody.sharedTraces.read({ token }))).toBe(404)
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
