import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp, type TestClient } from '../../../testing/start-test-app.ts'

/** Far less than the deletions of these tests took while each call was looked up by its id. */
const patience = { timeout: 60_000 }
/** Servers that share a store delete so many calls together. */
const together = 2_000
/** More than the requests of servers that share a store merge, and than they delete together. */
const many = 2 * together + 2

interface Trace {
  project_id: string
  trace_id: string
  ids: string[]
}

/** A trace of a root with many calls below it, and half of these below the first of them. */
async function recordTrace(app: Pick<TestApp, 'client' | 'newProject'>, calls: number): Promise<Trace> {
  const project_id = app.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  const trace_id = newId()
  const ids = Array.from({ length: calls }, newId)
  const parentOf = (index: number) => (index === 0 ? null : ((index < 2 ? ids[0] : ids[index % 2]) ?? null))
  const batch = ids.map((id, index) => ({
    project_id,
    id,
    trace_id,
    parent_id: parentOf(index),
    op_name: 'step',
    thread_id: 'thread-1',
    turn_id: index === 0 ? id : null,
    started_at: new Date(1_772_000_000_000 + index * 7).toISOString(),
    ended_at: new Date(1_772_000_000_005 + index * 7).toISOString(),
    attributes: {},
    inputs: { index },
    output: 'done',
    summary: {},
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
      start: '2026-02-25T00:00:00Z',
      end: '2026-02-26T00:00:00Z',
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
    hasBuckets: JSON.stringify(counted).includes(String(ids.length)),
    listed: calls.length,
    root: one.call?.id,
    nodes: nodes.length,
    threads: threads.length,
  }
}

const nothing = { count: 0, hasBuckets: false, listed: 0, root: undefined, nodes: 0, threads: 0 }

describe('a trace of tens of thousands of calls', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())

  test('is deleted at once, for every way to read it', patience, async () => {
    const trace = await recordTrace(app, inject('long') ? 100_001 : 20_001)
    expect(await everything(app.client, trace)).toMatchObject({ count: trace.ids.length, listed: 10, root: trace.ids[0], threads: 1 })
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) })).toEqual({
      num_deleted: trace.ids.length,
    })
    expect(await everything(app.client, trace)).toEqual(nothing)
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) })).toEqual({ num_deleted: 0 })
  })

  test('loses what is below a call alone', patience, async () => {
    const trace = await recordTrace(app, 8_001)
    const { num_deleted } = await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(1, 2) })
    expect(num_deleted).toBe(4_000)
    expect(await everything(app.client, trace)).toMatchObject({ count: 8_001 - num_deleted, root: trace.ids[0] })
  })

  test('does not come back by what arrives late for one of its calls, or for an id that is not there yet', patience, async () => {
    const trace = await recordTrace(app, 3_001)
    const unknown = newId()
    const call_ids = [trace.ids[0] ?? '', unknown]
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids })).toEqual({ num_deleted: 3_002 })
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

describe.each(dialects)('a deletion in parts with jobs in $dialect', ({ options, isMissing }) => {
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(options)
  })
  afterAll(() => app?.close())

  test.skipIf(isMissing)('has ended when it is answered', patience, async () => {
    const trace = await recordTrace(app, many)
    expect(await app.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) })).toEqual({ num_deleted: many })
    expect(await everything(app.client, trace)).toEqual(nothing)
  })

  test.skipIf(isMissing)('is continued by another server when the one that began it ends', patience, async () => {
    const first = await app.anotherServer()
    const trace = await recordTrace(app, 4 * together)
    const read = () => app.client.calls.queryStats({ project_id: trace.project_id })
    const deleting = first.client.calls.delete({ project_id: trace.project_id, call_ids: trace.ids.slice(0, 1) }).catch(() => undefined)
    await expect.poll(async () => (await read()).count, patience).toBeLessThan(trace.ids.length)
    await first.service.close()
    await expect.poll(async () => (await read()).count, patience).toBe(0)
    await deleting
  })
})
