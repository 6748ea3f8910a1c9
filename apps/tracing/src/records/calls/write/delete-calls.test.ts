import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { bind, deletedCallsTable, sql } from '@heddle/datastore'
import { aBlock } from '@heddle/datastore/testing'
import { newId } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp, type TestClient } from '../../../testing/start-test-app.ts'

/** Within the last week, which the list of projects counts. */
const begin = Date.now() - 3_600_000
const range = { start: new Date(begin - 60_000).toISOString(), end: new Date(begin + 3_600_000).toISOString() }

const patience = { timeout: 60_000 }
/** Ends only what hangs: a busy machine takes minutes to write the calls of a test. */
const limit = { timeout: 240_000 }
/** Servers that share a store delete so many calls together. */
const together = 2_000
/** More than the requests of servers that share a store merge, and than they delete together. */
const many = (inject('long') ? 2 * together : together) + 2
/** Calls of a trace that stay when those below one of them are deleted. */
const beside = inject('long') ? many : 100

interface Trace {
  project_id: string
  trace_id: string
  ids: string[]
}

type Recording = Pick<TestApp, 'client' | 'newProject'>

/** A trace of a root with many calls below it; the last of these, or half of them, are below the first one. */
function recordTrace(app: Recording, calls: number, atSecond = calls / 2): Promise<Trace> {
  return recordCalls(app, { project_id: app.newProject(), calls, atSecond })
}

interface RecordedCalls {
  project_id: string
  calls: number
  trace_id?: string | undefined
  /** Parent of the first of them. */
  parent_id?: string | undefined
  /** So many are at and below the second one, the others below the first. */
  atSecond?: number
}

async function recordCalls(
  app: Recording,
  { project_id, calls, trace_id = newId(), parent_id, atSecond = 0 }: RecordedCalls,
): Promise<Trace> {
  const [entity = '', project = ''] = project_id.split('/')
  const ids = Array.from({ length: calls }, newId)
  const parentOf = (index: number) => (index === 0 ? (parent_id ?? null) : (ids[index > calls - atSecond ? 1 : 0] ?? null))
  const batch = ids.map((id, index) => ({
    project_id,
    id,
    trace_id,
    parent_id: parentOf(index),
    op_name: 'step',
    thread_id: 'thread-1',
    turn_id: index === 0 && parent_id === undefined ? id : null,
    started_at: new Date(begin + index * 7).toISOString(),
    ended_at: new Date(begin + 5 + index * 7).toISOString(),
    attributes: {},
    inputs: { index },
    output: 'done',
    summary: { usage: { m: { prompt_tokens: 1, requests: 1 } } },
  }))
  for (let start = 0; start < batch.length; start += 10_000)
    await app.client.calls.complete({ entity, project, batch: batch.slice(start, start + 10_000) })
  return { project_id, trace_id, ids }
}

async function listed<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of stream) found.push(each)
  return found
}

/** What every way to read the project finds. */
async function everything(client: TestClient, { project_id, ids }: Trace) {
  const [root = ''] = ids
  const [stats, counted, calls, one, nodes, threads] = await Promise.all([
    client.calls.queryStats({ project_id }),
    client.calls.stats({
      project_id,
      ...range,
      call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
    }),
    listed(client.calls.streamQuery({ project_id, limit: 10 })),
    client.calls.read({ project_id, id: root }),
    client.calls
      .read({ project_id, id: root })
      .then(({ call }) => (call ? listed(client.calls.streamTrace({ project_id, call_id: root })) : [])),
    listed(client.threads.streamQuery({ project_id })),
  ])
  return {
    count: stats.count,
    hasBuckets: counted.call_buckets.some((bucket) => Number(bucket['sum_call_count'] ?? 0) > 0),
    listed: calls.length,
    root: one.call?.id,
    nodes: nodes.length,
    threads: threads.length,
  }
}

async function deleted({ client }: Pick<TestApp, 'client'>, project_id: string, call_ids: string[]): Promise<number> {
  return (await client.calls.delete({ project_id, call_ids })).num_deleted
}

/** What is added up over the calls of a project: traces, tokens, calls of the list of projects, and threads. The usage of a root is that of its calls. */
async function summed(client: TestClient, project_id: string) {
  const { traces } = await client.calls.traceTotals({ project_id, ...range })
  const { groups } = await client.calls.usageTotals({ project_id, ...range, group_by: 'model' })
  const { projects } = await client.projects.query({ contains: project_id })
  return {
    traces: traces.map(({ trace_id }) => trace_id),
    tokens: groups.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
    projects: projects[0]?.calls_7d,
    threads: (await listed(client.threads.streamQuery({ project_id }))).length,
  }
}

const nothing = { count: 0, hasBuckets: false, listed: 0, root: undefined, nodes: 0, threads: 0 }

describe('a trace of thousands of calls', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('is deleted at once, for every way to read it', limit, async () => {
    const trace = await recordTrace(app, inject('long') ? 100_001 : many)
    expect(await everything(app.client, trace)).toMatchObject({ count: trace.ids.length, listed: 10, root: trace.ids[0], threads: 1 })
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) })).toEqual({
      num_deleted: trace.ids.length,
    })
    expect(await everything(app.client, trace)).toEqual(nothing)
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) })).toEqual({ num_deleted: 0 })
  })

  test('loses what is below a call alone', limit, async () => {
    const trace = await recordTrace(app, many + beside, many)
    const { num_deleted } = await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(1, 2) })
    expect(num_deleted).toBe(many)
    expect(await everything(app.client, trace)).toMatchObject({ count: beside, root: trace.ids[0] })
  })

  test(
    'counts what cannot be the id of a call as an id that is not there yet, and refuses one that is longer than any',
    limit,
    async () => {
      const { project_id, ids } = await recordTrace(app, 3)
      const call_ids = [ids[2] ?? '', newId(), '"'.repeat(1_024), '"'.repeat(1_024)]
      expect(await app.client.calls.delete({ project_id, call_ids })).toEqual({ num_deleted: 3 })
      const longer = app.client.calls.delete({ project_id, call_ids: [ids[0] ?? '', '"'.repeat(1_025)] })
      await expect(longer).rejects.toMatchObject({ status: 422, issues: [{ loc: ['body', 'call_ids', 1], type: 'string_too_long' }] })
    },
  )

  test('does not come back by what arrives late for one of its calls, or for an id that is not there yet', limit, async () => {
    const trace = await recordTrace(app, many)
    const unknown = newId()
    const call_ids = [trace.ids[0] ?? '', unknown]
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids })).toEqual({ num_deleted: many + 1 })
    for (const id of [trace.ids.at(-1) ?? '', unknown])
      await app.client.calls.start({
        start: {
          project_id: trace.project_id,
          id,
          trace_id: trace.trace_id,
          op_name: 'late',
          started_at: '2026-03-01T00:00:00Z',
          attributes: {},
          inputs: {},
        },
      })
    expect((await app.client.calls.queryStats({ project_id: trace.project_id })).count).toBe(0)
  })
})

const dialects = [
  { dialect: 'SQLite', options: { service: { sharesStore: true } }, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
]

describe.each(dialects)('a deletion of many calls on servers that share a store, with jobs in $dialect', ({ options, isMissing }) => {
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(options)
  })
  afterAll(() => app?.close())

  test.skipIf(isMissing)('is seen by every server when it is answered, and ends', limit, async () => {
    const other = await app.anotherServer()
    const trace = await recordTrace(app, many)
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) })).toEqual({ num_deleted: many })
    for (const client of [app.client, other.client]) expect(await everything(client, trace)).toEqual(nothing)
    await untilRemoved(app, trace)
    for (const client of [app.client, other.client]) expect(await everything(client, trace)).toEqual(nothing)
  })

  test.skipIf(isMissing)('is continued by another server when the one that began it ends', limit, async () => {
    const first = await app.anotherServer({ removedAtOnce: 500 })
    const trace = await recordTrace(app, many)
    await first.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) })
    await first.service.close()
    expect(await everything(app.client, trace)).toEqual(nothing)
    await untilRemoved(app, trace)
    expect(await everything(app.client, trace)).toEqual(nothing)
  })
})

/** Waits until no deletion of the project is under way, and all of its calls are gone from the store. */
async function untilRemoved(app: Pick<TestApp, 'client' | 'stores'>, { project_id }: Trace): Promise<void> {
  const running = async () =>
    (await app.client.projects.queryDeletions({ project_id })).deletions.filter(({ ended_at }) => ended_at === null)
  await expect.poll(running, patience).toEqual([])
}

async function storedCalls(app: Pick<TestApp, 'stores'>, { project_id }: Trace): Promise<number> {
  const [row] = await app.stores.analytical.rows<{ calls: number }>(
    sql`SELECT toFloat64(count()) AS calls FROM heddle.calls FINAL WHERE project_id = ${bind('String', project_id)}`,
  )
  return row?.calls ?? 0
}

describe('a deletion that is under way', () => {
  let app: TestApp
  beforeAll(async () => {
    // A server that starts continues what others left, so these stores are of this test alone.
    app = await startTestApp({ own: {} })
  })
  afterAll(() => app.close())

  /** A server that serves requests and runs no jobs: what is deleted stays where it was. */
  async function idleServer(): Promise<Pick<TestApp, 'client' | 'stores' | 'newProject'>> {
    const idle = await app.anotherServer({ jobQueue: `idle-${newId()}` })
    await idle.service.close()
    return { ...app, client: idle.client }
  }

  test('hides a whole trace from every read while all of it is stored, other traces stay, and it shows how far it is', limit, async () => {
    const idle = await idleServer()
    const trace = await recordTrace(idle, many)
    const kept = await recordCalls(idle, { project_id: trace.project_id, calls: 3 })
    expect(await deleted(idle, trace.project_id, trace.ids.slice(0, 1))).toBe(many)
    expect(await storedCalls(idle, trace)).toBe(many + 3)
    expect(await everything(idle.client, { ...kept, project_id: trace.project_id })).toMatchObject({ count: 3, root: kept.ids[0] })
    expect(await idle.client.calls.read({ project_id: trace.project_id, id: trace.ids[7] ?? '' })).toEqual({ call: null })
    expect(await summed(idle.client, trace.project_id)).toEqual({ traces: [kept.trace_id], tokens: 2, projects: 3, threads: 1 })
    expect(await idle.client.projects.queryDeletions({ project_id: trace.project_id })).toMatchObject({
      deletions: [{ kind: 'calls', total: many, removed: 0, ended_at: null }],
    })
    // What arrives for it meanwhile goes with it, as does what ends late.
    await recordCalls(idle, { project_id: trace.project_id, calls: 2, trace_id: trace.trace_id, parent_id: trace.ids[0] })
    expect(await deleted(idle, trace.project_id, trace.ids.slice(0, 1))).toBe(0)
    expect((await idle.client.calls.queryStats({ project_id: trace.project_id })).count).toBe(3)
  })

  test('hides the calls below one from every read while all of them are stored', limit, async () => {
    const idle = await idleServer()
    const trace = await recordTrace(idle, many + beside, many)
    expect(await deleted(idle, trace.project_id, trace.ids.slice(1, 2))).toBe(many)
    expect(await storedCalls(idle, trace)).toBe(many + beside)
    expect(await everything(idle.client, trace)).toMatchObject({ count: beside, nodes: beside, root: trace.ids[0], threads: 1 })
    expect(await idle.client.calls.read({ project_id: trace.project_id, id: trace.ids.at(-1) ?? '' })).toEqual({ call: null })
    expect(await idle.client.calls.read({ project_id: trace.project_id, id: trace.ids[2] ?? '' })).toMatchObject({ call: {} })
    expect(await summed(idle.client, trace.project_id)).toEqual({
      traces: [trace.trace_id],
      tokens: beside - 1,
      projects: beside,
      threads: 1,
    })
    const { traces } = await idle.client.calls.traceTotals({ project_id: trace.project_id, trace_ids: [trace.trace_id] })
    expect(traces).toMatchObject([{ calls: beside, tokens: beside - 1 }])
  })

  test('ends, with nothing left of it', limit, async () => {
    const trace = await recordTrace(app, many + beside, many)
    expect(await deleted(app, trace.project_id, trace.ids.slice(1, 2))).toBe(many)
    await untilRemoved(app, trace)
    expect(await storedCalls(app, trace)).toBe(beside)
    expect(await summed(app.client, trace.project_id)).toEqual({
      traces: [trace.trace_id],
      tokens: beside - 1,
      projects: beside,
      threads: 1,
    })
    expect(await app.client.projects.queryDeletions({ project_id: trace.project_id })).toMatchObject({
      deletions: [{ kind: 'calls', total: many, removed: many, ended_at: expect.any(String) as string }],
    })
    const [listed] = await app.stores.analytical.rows<{ calls: number }>(
      sql`SELECT toFloat64(count()) AS calls FROM heddle.deleted_calls WHERE project_id = ${bind('String', trace.project_id)}`,
    )
    expect(listed?.calls).toBe(0)
  })

  test(
    'what a deletion listed that never began is removed by the next start, and its trace has all of its calls again',
    limit,
    async () => {
      const trace = await recordTrace(app, 40)
      const whole = (await summed(app.client, trace.project_id)).tokens
      const old = {
        project_id: trace.project_id,
        deletion_id: newId(),
        trace_id: trace.trace_id,
        version: BigInt(begin - 7_200_000) * 1_000n,
      }
      const listed = trace.ids.slice(1, 11).map((call_id) => ({ ...old, call_id }))
      await app.stores.analytical.insert(deletedCallsTable, aBlock(deletedCallsTable, ...listed))
      const lists = async () => {
        const [row] = await app.stores.analytical.rows<{ calls: number }>(
          sql`SELECT toFloat64(count()) AS calls FROM heddle.deleted_calls WHERE project_id = ${bind('String', trace.project_id)}`,
        )
        return row?.calls
      }
      // Another call of the trace, so that it is added up while these are listed.
      await recordCalls(app, { project_id: trace.project_id, calls: 1, trace_id: trace.trace_id, parent_id: trace.ids[0] })
      expect((await summed(app.client, trace.project_id)).tokens).toBeLessThan(whole)
      expect(await lists()).toBe(10)
      const next = await app.anotherServer()
      await expect.poll(lists, { timeout: 60_000 }).toBe(0)
      await expect.poll(async () => (await summed(app.client, trace.project_id)).tokens, { timeout: 60_000 }).toBe(whole + 1)
      await next.service.close()
    },
  )
})
