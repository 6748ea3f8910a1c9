import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { startEngine } from '@heddle/datastore'
import { type EngineAsCluster, engineEntry, serveEngineAsCluster } from '@heddle/datastore/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from './start-server.ts'

const apiKey = 'a-key-of-the-tests-of-statements-of-a-cluster'
const project_id = 'of/cluster'
const folder = mkdtempSync(join(tmpdir(), 'heddle-cluster-'))

let cluster: EngineAsCluster
let client: ReturnType<typeof clientOf>
const closers: (() => Promise<unknown>)[] = []

const clientOf = (baseUrl: string) => createClient({ baseUrl, apiKey, contract: tracing, retries: 0 })

beforeAll(async () => {
  const engine = await startEngine({ entry: engineEntry, dataDir: join(folder, 'cluster'), memoryLimitBytes: 1e9 })
  closers.push(() => engine.stop())
  cluster = await serveEngineAsCluster(engine)
  closers.push(() => cluster.close())
  const flags = { dataDir: join(folder, 'data'), apiKey, port: '0', clickhouseUrl: cluster.url, only: 'tracing' }
  const started = await startServer(toConfiguration({ environment: {}, flags }), createServerLog('error', { write: () => undefined }))
  closers.push(() => started.close())
  client = clientOf(started.server.url)
}, 120_000)
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
  rmSync(folder, { recursive: true, maxRetries: 20 })
})

const id = randomUUID()
const started_at = '2026-01-05T00:00:00Z'
const aStart = (callId: string) => ({ project_id, id: callId, trace_id: id, op_name: 'op', started_at, attributes: {}, inputs: {} })
const weave_ref = `weave:///${project_id}/call/${id}`
const feedback = randomUUID()

let base_digest: string
let queue_id: string

/** Requests that write, each of which builds on those before. */
const writes: Record<string, () => Promise<unknown>> = {
  'a start of a call': () => client.calls.start({ start: aStart(id) }),
  'an end of a call': () => client.calls.end({ end: { project_id, id, ended_at: '2026-01-05T00:00:01Z', output: 1, summary: {} } }),
  'whole calls': () =>
    client.calls.complete({
      entity: 'of',
      project: 'cluster',
      batch: [{ ...aStart(randomUUID()), ended_at: '2026-01-05T00:00:02Z', output: 1, summary: {} }],
    }),
  'a new name of a call': () => client.calls.update({ project_id, call_id: id, display_name: 'renamed' }),
  feedback: () => client.feedback.create({ project_id, id: feedback, weave_ref, feedback_type: 'quality', payload: { good: 1 } }),
  'a replacement of feedback': () =>
    client.feedback.replace({ project_id, feedback_id: feedback, weave_ref, feedback_type: 'quality', payload: { good: 2 } }),
  'a table': async () => {
    base_digest = (await client.tables.create({ table: { project_id, rows: [{ a: 1 }, { a: 2 }] } })).digest
  },
  'an update of a table': () => client.tables.update({ project_id, base_digest, updates: [{ append: { row: { a: 3 } } }] }),
  'an object': () => client.objects.create({ obj: { project_id, object_id: 'thing', val: { a: 1 } } }),
  'a queue': async () => {
    queue_id = (await client.annotationQueues.create({ project_id, name: 'queue', scorer_refs: [] })).id
  },
  'items of a queue': () => client.annotationQueues.addCalls({ project_id, queue_id, call_ids: [id], display_fields: [] }),
  'a deletion of feedback': () =>
    client.feedback.purge({ project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: feedback }] } } }),
  'a deletion of calls': () => client.calls.delete({ project_id, call_ids: [id] }),
}

test('the database is created by a statement that names none, before any that names it', () => {
  const [version, creation, ...others] = cluster.statements
  expect([version?.database, creation?.database, creation?.text]).toEqual([undefined, undefined, 'CREATE DATABASE IF NOT EXISTS heddle'])
  for (const { database } of others) expect(database).toBe('heddle')
})

test.each(Object.entries(writes))(
  '%s reads only what all replicas have acknowledged, and is acknowledged by a quorum',
  async (_, write) => {
    const before = cluster.statements.length
    await write()
    const sent = cluster.statements.slice(before)
    for (const { text, settings } of sent) {
      // The server asks meanwhile whether the cluster is there, and reads none of its tables for that.
      if (/^(SELECT|WITH)/.test(text) && /\bheddle\./.test(text))
        expect([text, settings['select_sequential_consistency']]).toEqual([text, '1'])
      if (text.startsWith('INSERT'))
        expect(settings).toMatchObject({ insert_quorum: 'auto', insert_quorum_parallel: '0', distributed_foreground_insert: '1' })
      if (/^ALTER.*DELETE/.test(text)) expect(settings).toMatchObject({ mutations_sync: '2' })
    }
  },
)

test('each table that writes build on was read so', () => {
  const consistent = cluster.statements.filter(({ settings }) => settings['select_sequential_consistency'] === '1')
  const read = new Set(consistent.flatMap(({ text }) => [...text.matchAll(/FROM heddle\.(\w+)/g)].map(([, table]) => table)))
  expect([...read].toSorted()).toEqual(expect.arrayContaining(['calls', 'feedback', 'tables', 'traces', 'usage']))
})

test('lists of deletions that never began are read consistently; a started server removes them', async () => {
  const reads = () => cluster.statements.filter(({ text }) => text.includes('FROM heddle.deleted_calls WHERE version <'))
  await expect.poll(() => reads().map(({ settings }) => settings['select_sequential_consistency'])).toEqual(['1'])
})

test('reads for people wait for no replica', async () => {
  const before = cluster.statements.length
  expect(await client.calls.queryStats({ project_id })).toMatchObject({ count: 1 })
  // Work of the server that writes may follow the writes before.
  const counts = cluster.statements.slice(before).filter(({ text }) => /^SELECT .*\bAS count\b/.test(text))
  expect(counts.map(({ settings }) => settings['select_sequential_consistency'])).toEqual([undefined])
})

test('a write whose read a replica refuses, since it lacks acknowledged rows, repeats the read and takes place', async () => {
  const late = randomUUID()
  await client.calls.start({ start: aStart(late) })
  cluster.stale = { part: 'FROM heddle.calls', times: 3 }
  await client.calls.end({ end: { project_id, id: late, ended_at: '2026-01-05T00:00:03Z', output: 7, summary: {} } })
  expect(cluster.stale.times).toBe(0)
  const { call } = await client.calls.read({ project_id, id: late })
  expect(call).toMatchObject({ op_name: 'op', output: 7 })
})
