import { bind, sql } from '@heddle/datastore'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { aFeedback, callRef, equals } from '../../../contract-tests/testing/feedback-builders.ts'
import { startTestApp, type TestApp, type TestClient } from '../../../testing/start-test-app.ts'

const patience = { timeout: 120_000, interval: 50 }
/** More than the request of a purge removes. */
const many = 10_001

let app: TestApp
beforeAll(async () => {
  // A server that starts continues what others left, so these stores are of this test alone.
  app = await startTestApp({ own: {} })
})
afterAll(() => app.close())

/** A server that serves requests and runs no jobs: what is purged stays where it was. */
async function idleServer(): Promise<TestClient> {
  const idle = await app.anotherServer({ jobQueue: `idle-${newId()}` })
  await idle.service.close()
  return idle.client
}

/** A call with feedback under these ids, one of them `kept`. */
async function recordFeedback(ids: readonly string[]) {
  const project_id = app.newProject()
  const call = aCall({ project_id, thread_id: 'thread-1' })
  await record(app.client, call)
  const weave_ref = callRef(project_id, call.id)
  const batch = [...ids, 'kept'].map((id) => aFeedback({ project_id, id, weave_ref, payload: { v: 1 } }))
  await app.client.feedback.createBatch({ batch })
  return { project_id, call_id: call.id, weave_ref }
}

const naming = (ids: readonly string[]) => ({ $expr: { $in: [{ $getField: 'id' }, ids.map((id) => ({ $literal: id }))] } })

/** How much feedback each way to read the project finds. */
async function found(client: TestClient, { project_id, call_id }: { project_id: string; call_id: string }) {
  const range = { start: new Date(Date.now() - 86_400_000).toISOString(), end: new Date(Date.now() + 86_400_000).toISOString() }
  const millis = { after_ms: Date.now() - 86_400_000, before_ms: Date.now() + 86_400_000 }
  const [listed, stats, aggregated, schema, call, matching] = await Promise.all([
    client.feedback.query({ project_id }),
    client.feedback.stats({ project_id, ...range, metrics: [{ json_path: 'v', value_type: 'numeric', aggregations: ['count'] }] }),
    client.feedback.aggregate({ project_id, ...millis }),
    client.feedback.payloadSchema({ project_id, ...range }),
    client.calls.query({ project_id, filter: { call_ids: [call_id] }, include_feedback: true }),
    client.calls.queryStats({ project_id, query: equals('feedback.[quality].payload.v', '1') }),
  ])
  const summary = call.calls[0]?.summary as { weave?: { feedback?: unknown[] } } | undefined
  return {
    ids: listed.result.map(({ id }) => id),
    total: listed.total_count,
    counted: JSON.stringify(stats.buckets),
    aggregated: aggregated.buckets.reduce((sum, { total_count }) => sum + total_count, 0),
    paths: schema.paths.length,
    onCall: summary?.weave?.feedback?.length ?? 0,
    calls: matching.count,
  }
}

const stored = async (project_id: string) => {
  const [row] = await app.stores.analytical.rows<{ live: number; listed: number }>(
    sql`SELECT toFloat64((SELECT count() FROM heddle.feedback FINAL WHERE project_id = ${bind('String', project_id)})) AS live,
      toFloat64((SELECT count() FROM heddle.deleted_calls WHERE project_id = ${bind('String', project_id)})) AS listed`,
  )
  return row
}

test(
  'a purge of many ids hides all of them from every read while they are stored, then removes them, and shows how far it is',
  { timeout: 300_000 },
  async () => {
    const ids = Array.from({ length: inject('long') ? 60_000 : many }, (_, index) => `f-${index}`)
    const given = ids.slice(0, 12)
    const of = await recordFeedback(given)
    const { project_id, weave_ref } = of
    const idle = await idleServer()
    expect(await found(idle, of)).toMatchObject({ total: 13, aggregated: 13, onCall: 13, calls: 1 })
    expect(await idle.feedback.purge({ project_id, query: naming(ids) })).toEqual({})
    expect(await stored(project_id)).toEqual({ live: 13, listed: ids.length })
    const hidden = await found(idle, of)
    expect(hidden).toMatchObject({ ids: ['kept'], total: 1, aggregated: 1, onCall: 1, calls: 1 })
    expect(await idle.projects.queryDeletions({ project_id })).toMatchObject({
      deletions: [{ kind: 'feedback', total: 12, removed: 0, ended_at: null }],
    })
    // What is written under one of the ids from then on is new, and stays.
    await idle.feedback.create(aFeedback({ project_id, id: 'f-3', weave_ref, payload: { v: 2 } }))
    expect((await idle.feedback.query({ project_id })).result.map(({ id }) => id).sort()).toEqual(['f-3', 'kept'])

    const worker = await app.anotherServer()
    await expect
      .poll(async () => (await worker.client.projects.queryDeletions({ project_id })).deletions[0]?.ended_at, patience)
      .not.toBeNull()
    expect((await found(worker.client, of)).ids.sort()).toEqual(['f-3', 'kept'])
    expect(await stored(project_id)).toEqual({ live: 2, listed: 0 })
    expect(await worker.client.projects.queryDeletions({ project_id })).toMatchObject({
      deletions: [{ kind: 'feedback', total: 12, removed: 11 }],
    })
    await worker.service.close()
  },
)

test('a purge of many ids of which none is there does nothing, and is no deletion', patience, async () => {
  const { project_id } = await recordFeedback(['one'])
  await app.client.feedback.purge({ project_id, query: naming(Array.from({ length: many }, (_, index) => `unknown-${index}`)) })
  expect((await app.client.projects.queryDeletions({ project_id })).deletions).toEqual([])
  expect((await app.client.feedback.query({ project_id })).total_count).toBe(2)
  expect((await stored(project_id))?.listed).toBe(0)
})
