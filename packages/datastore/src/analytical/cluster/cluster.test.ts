import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processLock } from '../../locks/process-lock.ts'
import { type ClusterStandIn, startClusterStandIn } from '../../testing/cluster-stand-in.ts'
import { aBlock, aCallRow, openMemoryDatabase } from '../../testing/index.ts'
import { systemTiming } from '../../timing.ts'
import type { Analytical } from '../analytical.ts'
import { type BatchLimits, createClickHouseStore } from '../clickhouse-store.ts'
import { migrateAnalytical } from '../maintenance/migrate-analytical.ts'
import { ownSql, sql } from '../sql.ts'
import { readStoreKind } from '../store-kind.ts'
import { callsTable } from '../tables/calls.ts'
import { serverWork } from '../../work/work-scope.ts'
import { assertVersion, prepareCluster } from './prepare-cluster.ts'

let cluster: ClusterStandIn
let store: Analytical
beforeEach(async () => {
  cluster = await startClusterStandIn()
  store = openStore(60_000)
})
afterEach(async () => {
  await cluster.close()
  await store.close()
})

const openStore = (pingMs: number, batching: BatchLimits = {}) =>
  createClickHouseStore({ target: { url: cluster.url }, timing: systemTiming, patience: { idleMs: 100, pingMs }, batching })
const insert = () => store.insert(callsTable, aBlock(callsTable, aCallRow({})))
async function readBlocks(): Promise<void> {
  for await (const block of store.blocks(sql`SELECT 1`)) void block
}
const settingsOf = (begin: string) => cluster.statements.filter(({ text }) => text.startsWith(begin)).map(({ settings }) => settings)

describe('a server without the database', () => {
  test('refuses every statement of the store, also the one that creates it', async () => {
    await expect(store.rows(sql`SELECT 1`)).rejects.toThrow(/heddle does not exist/)
    await expect(store.execute(ownSql('CREATE DATABASE IF NOT EXISTS heddle'))).rejects.toThrow(/heddle does not exist/)
  })

  test.each([false, true])('is prepared without naming it, and then migrated (replicated: %s)', async (isReplicated) => {
    cluster.isReplicated = isReplicated
    await prepareCluster(cluster.url)
    const asked = cluster.statements.map(({ database, text }) => [database, text.split(' ').slice(0, 2).join(' ')])
    expect(asked).toEqual([
      [undefined, 'SELECT version()'],
      [undefined, 'CREATE DATABASE'],
    ])
    const database = await openMemoryDatabase()
    const kind = await readStoreKind(store)
    expect(kind).toBe(isReplicated ? 'replicated' : 'embedded')
    await migrateAnalytical({ analytical: store, database, locks: processLock(), kind, now: () => 5 })
    const created = cluster.statements.filter(({ text }) => text.startsWith('CREATE TABLE'))
    expect(created.length).toBeGreaterThanOrEqual(5)
    await database.destroy()
  })

  test('is not asked to create one that is there, which its user may not', async () => {
    cluster.databases.add('heddle')
    await prepareCluster(cluster.url)
    expect(cluster.statements.map(({ text }) => text.split(' ')[0])).toEqual(['SELECT'])
  })
})

test('a version that is too old is refused by its name, with the oldest that will do', async () => {
  cluster.version = '24.8.3.1'
  await expect(prepareCluster(cluster.url)).rejects.toThrow(/has version "24\.8\.3\.1", but 25\.8 or newer is needed/)
  expect(cluster.databases.has('heddle')).toBe(false)
  for (const version of ['25.8.1.1', '25.12.2.4-alpine', '26.1', '100.1']) expect(() => assertVersion(version)).not.toThrow()
  for (const version of ['25.7.9.9', '24.12', '', 'x']) expect(() => assertVersion(version)).toThrow(/25\.8 or newer/)
})

describe('statements of a cluster', () => {
  beforeEach(() => void cluster.databases.add('heddle'))

  test('an insert is acknowledged when its rows are on their shard and on most of its replicas', async () => {
    await insert()
    expect(settingsOf('INSERT')).toEqual([
      expect.objectContaining({ distributed_foreground_insert: '1', insert_quorum: 'auto', insert_quorum_parallel: '0' }),
    ])
  })

  test('a read on which a write is based sees all acknowledged rows, and other reads wait for no replica', async () => {
    await store.rows(sql`SELECT 1`, { isConsistent: true })
    await store.rows(sql`SELECT 1`)
    expect(settingsOf('SELECT').map((settings) => settings['select_sequential_consistency'])).toEqual(['1', undefined])
  })

  test('deleted rows are gone from every replica, and work in the background waits for none', async () => {
    await store.deleteRows(callsTable, sql`1`)
    await store.execute(ownSql('ALTER TABLE heddle.calls MATERIALIZE INDEX x'), { inBackground: true })
    expect(settingsOf('ALTER').map((settings) => settings['mutations_sync'])).toEqual(['2', '0'])
  })

  test.each([285, 286, 289, 319])('an insert without its quorum (code %i) is repeated, and then refused as unavailable', async (code) => {
    cluster.insertErrorCode = code
    const refused = insert()
    refused.catch(() => undefined)
    await expect.poll(() => settingsOf('INSERT').length).toBeGreaterThan(1)
    cluster.insertErrorCode = 0
    await refused
  })
})

describe('a server that accepts connections and never answers', { timeout: 60_000 }, () => {
  const frozen = { name: 'StoreError', kind: 'unavailable', message: expect.stringContaining('does not respond') as string }
  beforeEach(async () => {
    cluster.databases.add('heddle')
    cluster.isFrozen = true
    await store.close()
    store = openStore(500, { maxAttempts: 2 })
  })

  test('fails reads, changes and inserts long before their own limits', async () => {
    await Promise.all([
      expect(store.rows(sql`SELECT 1`)).rejects.toMatchObject(frozen),
      expect(readBlocks()).rejects.toMatchObject(frozen),
      expect(store.execute(ownSql('ALTER TABLE heddle.calls DELETE WHERE 1'))).rejects.toMatchObject(frozen),
      expect(insert()).rejects.toMatchObject(frozen),
    ])
  })

  test('fails also those that wait for a permit', async () => {
    const waiting = createClickHouseStore({
      target: { url: cluster.url },
      timing: systemTiming,
      patience: { idleMs: 100, pingMs: 500 },
      permits: {
        acquire: (_, signal) => new Promise((_done, fail) => void signal.addEventListener('abort', () => fail(signal.reason as Error))),
      },
    })
    const tenant = { caller: 'key', project: 'e/p' }
    await expect(waiting.of({ tenant, signal: new AbortController().signal }).rows(sql`SELECT 1`)).rejects.toMatchObject(frozen)
    await waiting.close()
  })

  test('is used again when it answers', async () => {
    await expect(store.rows(sql`SELECT 1`)).rejects.toMatchObject(frozen)
    cluster.isFrozen = false
    await expect.poll(() => store.rows(sql`SELECT 1`).catch(() => 'none')).toEqual([])
  })
})

test('a server that is slow and gives signs of life is waited for as long as statements may take', async () => {
  cluster.databases.add('heddle')
  cluster.isSlow = true
  const leaving = new AbortController()
  let isEnded = false
  const read = store
    .of({ ...serverWork, signal: leaving.signal })
    .rows(sql`SELECT 1`)
    .finally(() => (isEnded = true))
  read.catch(() => undefined)
  await expect.poll(() => cluster.pings).toBeGreaterThan(5)
  expect(isEnded).toBe(false)
  leaving.abort(new Error('the client left'))
  await expect(read).rejects.toMatchObject({ kind: 'cancelled' })
})
