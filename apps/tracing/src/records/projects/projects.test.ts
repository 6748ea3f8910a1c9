import { bind, sql } from '@heddle/datastore'
import { mergeParts } from '@heddle/datastore/testing'
import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, anEnd, aStart, findCalls, newId, readCall, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'
import { micros } from '../../testing/system-micros.ts'

const dayMicros = 86_400_000_000
const isoOf = (at: number) => new Date(at / 1000).toISOString()
/** A start that a retention of ten days leaves alive. */
const recently = () => isoOf(micros() - dayMicros)
const longAgo = () => isoOf(micros() - 20 * dayMicros)
const expiryOf = (started_at: string, days: number) => Date.parse(started_at) + days * 86_400_000

async function settings(client: TestClient, project_id: string): Promise<number | null> {
  return (await client.projects.readTtlSettings({ project_id })).retention_days
}

describe.each([
  { dialect: 'SQLite', options: {}, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
])('retention on $dialect', ({ dialect, options, isMissing }) => {
  const isWhole = dialect === 'SQLite'
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(options)
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  /** A project whose calls live for some days. */
  async function aProject(retention_days: number | null): Promise<string> {
    const project_id = app.newProject()
    await app.client.projects.updateTtlSettings({ project_id, retention_days })
    return project_id
  }
  const expiry = async (project_id: string, id: string) => {
    const { expire_at } = await readCall(app.client, { project_id, id })
    return expire_at === null ? null : Date.parse(expire_at)
  }

  describe('settings', () => {
    test.skipIf(isMissing)('calls are kept unless somebody says otherwise', async () => {
      const project_id = app.newProject()
      expect(await settings(app.client, project_id)).toBeNull()
      await record(app.client, aCall({ project_id, started_at: '1990-01-01' }))
      expect(await findCalls(app.client, { project_id })).toMatchObject([{ expire_at: null }])
    })

    test.skipIf(isMissing)('what was set is read, until it is taken back', async () => {
      const project_id = await aProject(1)
      expect(await settings(app.client, project_id)).toBe(1)
      expect(await app.client.projects.updateTtlSettings({ project_id, retention_days: 36_500 })).toEqual({ retention_days: 36_500 })
      expect(await settings(app.client, project_id)).toBe(36_500)
      await app.client.projects.updateTtlSettings({ project_id })
      expect(await settings(app.client, project_id)).toBeNull()
    })

    test.skipIf(isMissing).each(
      sliceOfCases(
        [
          [0, 400],
          [-1, 400],
          [36_501, 400],
          [1.5, 422],
          ['soon', 422],
        ],
        { isWhole },
      ),
    )('%j days are refused with %i', async (retention_days, status) => {
      const project_id = await aProject(3)
      expect((await sendRaw(app, { path: '/project/ttl_settings/update', body: { project_id, retention_days } })).status).toBe(status)
      expect(await settings(app.client, project_id)).toBe(3)
    })

    test.skipIf(isMissing)('a change is seen at once on the server that made it, and within two seconds on others', async () => {
      let now = micros()
      const [one, other] = [
        await app.anotherServer({ clock: () => now, sharesStore: true }),
        await app.anotherServer({ clock: () => now, sharesStore: true }),
      ]
      const project_id = app.newProject()
      for (const { client } of [one, other]) expect(await settings(client, project_id)).toBeNull()
      await one.client.projects.updateTtlSettings({ project_id, retention_days: 5 })
      expect(await settings(one.client, project_id)).toBe(5)
      now += 2_100_000
      expect(await settings(other.client, project_id)).toBe(5)
    })

    sliceOfSuite({ isWhole })
  })

  describe('the end of a call', () => {
    const started_at = recently()
    const ways: [string, (project_id: string, id: string) => Promise<unknown>][] = [
      ['as a whole', (project_id, id) => record(app.client, aCall({ project_id, id, started_at }))],
      ['by its start', (project_id, id) => app.client.calls.start({ start: aStart({ project_id, id, started_at }) })],
      [
        'in halves',
        async (project_id, id) => {
          await app.client.calls.start({ start: aStart({ project_id, id, started_at }) })
          await app.client.calls.end({ end: anEnd({ project_id, id }) })
        },
      ],
      [
        'in halves, the end first',
        async (project_id, id) => {
          await app.client.calls.end({ end: anEnd({ project_id, id }) })
          await app.client.calls.start({ start: aStart({ project_id, id, started_at }) })
        },
      ],
      [
        'in halves of one batch',
        (project_id, id) =>
          app.client.calls.upsertBatch({
            batch: [
              { mode: 'end', req: { end: anEnd({ project_id, id }) } },
              { mode: 'start', req: { start: aStart({ project_id, id, started_at }) } },
            ],
          }),
      ],
    ]

    test.skipIf(isMissing).each(ways)('is its start and the days of the project, when it is written %s', async (_, write) => {
      const [project_id, id] = [await aProject(10), newId()]
      await write(project_id, id)
      expect(await expiry(project_id, id)).toBe(expiryOf(started_at, 10))
    })

    test.skipIf(isMissing)('holds for spans too', async () => {
      const project_id = await aProject(10)
      const [entity = '', project = ''] = project_id.split('/')
      const at = Date.parse(started_at)
      const attributes = Object.entries({ 'wandb.entity': entity, 'wandb.project': project }).map(([key, stringValue]) => ({
        key,
        value: { stringValue },
      }))
      const span = {
        traceId: '0102030405060708090a0b0c0d0e0f10',
        spanId: '0102030405060708',
        name: 'span',
        startTimeUnixNano: `${at}000000`,
        endTimeUnixNano: `${at + 1}000000`,
      }
      const body = { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: [span] }] }] }
      expect((await sendRaw(app, { path: '/otel/v1/traces', body })).status).toBe(200)
      expect(await expiry(project_id, span.spanId)).toBe(expiryOf(started_at, 10))
    })

    test.skipIf(isMissing)('is fixed when the call is written: neither a later setting nor a later version moves it', async () => {
      const [project_id, before, trace_id] = [await aProject(null), newId(), newId()]
      await app.client.calls.start({ start: aStart({ project_id, id: before, trace_id, started_at }) })
      await app.client.projects.updateTtlSettings({ project_id, retention_days: 10 })
      const within = newId()
      await app.client.calls.start({ start: aStart({ project_id, id: within, trace_id, started_at }) })
      await app.client.projects.updateTtlSettings({ project_id, retention_days: 20 })
      for (const id of [before, within]) {
        await app.client.calls.end({ end: anEnd({ project_id, id }) })
        await app.client.calls.update({ project_id, call_id: id, display_name: 'renamed' })
        await app.client.calls.start({ start: aStart({ project_id, id, trace_id, started_at: isoOf(micros()) }) })
        await record(app.client, aCall({ project_id, id, trace_id, started_at }))
      }
      expect(await expiry(project_id, before)).toBeNull()
      expect(await expiry(project_id, within)).toBe(expiryOf(started_at, 10))
    })

    test.skipIf(isMissing)('can be asked for, and lies within what times can be', async () => {
      const project_id = await aProject(10)
      const call = aCall({ project_id, started_at })
      await record(app.client, call)
      const after = (at: string) =>
        findCalls(app.client, { project_id, query: { $expr: { $gt: [{ $getField: 'expire_at' }, { $literal: at }] } } })
      expect(await after(isoOf(micros()))).toHaveLength(1)
      expect(await after(isoOf(micros() + 30 * dayMicros))).toEqual([])
      await app.client.projects.updateTtlSettings({ project_id, retention_days: 36_500 })
      const late = aCall({ project_id, started_at: '2255-01-01', ended_at: '2255-01-01' })
      await record(app.client, late)
      expect((await readCall(app.client, late)).expire_at).toMatch(/^2255-06-05/)
    })

    sliceOfSuite({ isWhole })
  })

  describe('an expired call', () => {
    test.skipIf(isMissing)('is gone from every read, and its live neighbours are not', async () => {
      const project_id = await aProject(10)
      const trace_id = newId()
      const summary = { usage: { m: { prompt_tokens: 1 } } }
      const gone = aCall({ project_id, trace_id, started_at: longAgo(), summary })
      const live = aCall({ project_id, trace_id, parent_id: gone.id, started_at: recently(), summary })
      await record(app.client, gone, live)
      const { calls } = app.client
      expect(await calls.read({ project_id, id: gone.id })).toEqual({ call: null })
      expect((await findCalls(app.client, { project_id })).map(({ id }) => id)).toEqual([live.id])
      expect((await calls.query({ project_id })).calls.map(({ id }) => id)).toEqual([live.id])
      const counted = await calls.queryStats({ project_id, include_total_storage_size: true })
      expect(counted).toEqual({ count: 1, has_more: false, total_storage_size_bytes: 0 })
      const stats = await calls.stats({
        project_id,
        start: isoOf(micros() - 30 * dayMicros),
        end: isoOf(micros()),
        granularity: 31 * 86_400,
        call_metrics: [{ metric: 'call_count' }],
        usage_metrics: [{ metric: 'input_tokens' }],
      })
      const sum = (buckets: Record<string, unknown>[], key: string) => buckets.reduce((all, bucket) => all + Number(bucket[key]), 0)
      expect(sum(stats.call_buckets, 'sum_call_count')).toBe(1)
      expect(sum(stats.usage_buckets, 'sum_input_tokens')).toBe(1)
      expect(await calls.usage({ project_id, call_ids: [gone.id] })).toEqual({ call_usage: { [gone.id]: {} }, unfinished_call_ids: [] })
      expect(Object.keys((await calls.traceUsage({ project_id })).call_usage)).toEqual([live.id])
      expect(await calls.delete({ project_id, call_ids: [gone.id] })).toEqual({ num_deleted: 0 })
      expect(await calls.read({ project_id, id: live.id })).toMatchObject({ call: { id: live.id } })
      const bytes = (await calls.read({ project_id, id: live.id, include_storage_size: true })).call?.storage_size_bytes
      expect((await app.client.projects.stats({ project_id })).trace_storage_size_bytes).toBe(bytes)
    })

    test.skipIf(isMissing)('does not come back by a late end, a rename or a start that is sent again', async () => {
      const project_id = await aProject(10)
      const call = aCall({ project_id, started_at: longAgo() })
      const { id, trace_id, started_at } = call
      await record(app.client, call)
      await app.client.calls.end({ end: anEnd({ project_id, id }) })
      await app.client.calls.update({ project_id, call_id: id, display_name: 'again' })
      await app.client.calls.start({ start: aStart({ project_id, id, trace_id, started_at }) })
      await record(app.client, call)
      expect(await app.client.calls.read({ project_id, id })).toEqual({ call: null })
      expect(await findCalls(app.client, { project_id })).toEqual([])
    })

    test.skipIf(isMissing)('leaves the disk, and so does an end that arrives for it later', async () => {
      const project_id = await aProject(10)
      const gone = aCall({ project_id, started_at: longAgo(), ended_at: longAgo() })
      await record(app.client, gone)
      for (const id of [gone.id, newId()]) await app.client.calls.end({ end: anEnd({ project_id, id, ended_at: longAgo() }) })
      const live = aCall({ project_id, started_at: recently() })
      await record(app.client, live)
      const { analytical } = app.stores
      await mergeParts(analytical, 'calls')
      const left = await analytical.rows(sql`SELECT id FROM heddle.calls WHERE project_id = ${bind('String', project_id)}`)
      expect(left).toEqual([{ id: live.id }])
    })

    test.skipIf(isMissing)('vanishes the moment its time is over', async () => {
      let now = micros()
      const { client } = await app.anotherServer({ clock: () => now, sharesStore: true })
      const project_id = await aProject(1)
      const call = aCall({ project_id, started_at: isoOf(now) })
      await record(client, call)
      const end = Date.parse((await readCall(client, call)).expire_at ?? '') * 1000
      const seen = async (at: number) => {
        now = at
        return [(await client.calls.read({ project_id, id: call.id })).call !== null, (await findCalls(client, { project_id })).length]
      }
      expect(await seen(end - 1)).toEqual([true, 1])
      expect(await seen(end)).toEqual([false, 0])
    })

    sliceOfSuite({ isWhole })
  })
})

describe('sizes', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('an empty project takes up nothing', async () => {
    expect(await app.client.projects.stats({ project_id: app.newProject() })).toEqual({
      trace_storage_size_bytes: 0,
      objects_storage_size_bytes: 0,
      tables_storage_size_bytes: 0,
      files_storage_size_bytes: 0,
    })
  })

  test('each size is that of the records themselves, and of their project alone', async () => {
    const [project_id, other] = [app.newProject(), app.newProject()]
    const { client } = app
    for (const project of [project_id, other]) {
      const [call, deleted] = [aCall({ project_id: project, inputs: { text: '世' } }), aCall({ project_id: project })]
      await record(client, call, deleted)
      await client.calls.delete({ project_id: project, call_ids: [deleted.id] })
      for (const val of [{ n: 1 }, { n: 2 }]) await client.objects.create({ obj: { project_id: project, object_id: 'thing', val } })
      for (const rows of [[{ a: 1 }, { a: 2 }], [{ a: 2 }]]) await client.tables.create({ table: { project_id: project, rows } })
      for (const text of ['one', 'three', 'one']) {
        const bytes = Buffer.from(text)
        await client.files.create({ project_id: project, files: [{ field: 'file', filename: 'f', content_type: undefined, bytes }] })
      }
    }
    const { objs } = await client.objects.query({ project_id, include_storage_size: true })
    const { total_size_bytes } = await client.files.queryStats({ project_id })
    expect(await client.projects.stats({ project_id })).toEqual({
      trace_storage_size_bytes: Buffer.byteLength('{"text":"世"}{}null{}'),
      objects_storage_size_bytes: objs.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0),
      tables_storage_size_bytes: '{"a": 1}{"a": 2}'.length,
      files_storage_size_bytes: total_size_bytes,
    })
    expect(total_size_bytes).toBe(8)
  })

  test('a size that is not requested is null', async () => {
    const project_id = app.newProject()
    const answer = await app.client.projects.stats({ project_id, include_object_storage_size: false, include_file_storage_size: false })
    expect(answer).toEqual({
      trace_storage_size_bytes: 0,
      objects_storage_size_bytes: null,
      tables_storage_size_bytes: 0,
      files_storage_size_bytes: null,
    })
  })
})
