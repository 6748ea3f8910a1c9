import { mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  callsTable,
  createClickHouseStore,
  fileBlobs,
  migrateAnalytical,
  prepareCluster,
  processLock,
  startEngine,
  systemTiming,
} from '@heddle/datastore'
import { openPostgres, postgresPool } from '@heddle/datastore/postgres'
import { aBlock, aCallRow, engineEntry, newPostgresDatabase, openMemoryDatabase, serveEngineAsCluster } from '@heddle/datastore/testing'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { flip } from '../testing/damage/change-files.ts'
import { checkContents } from './check-contents.ts'
import { checkEngine } from './check-machine.ts'
import { checkRecords } from './check-records.ts'
import { checkTables } from './check-tables.ts'
import type { Finding } from './finding.ts'

const whole = { isQuick: false, onStep: () => undefined }

async function collect(findings: AsyncIterable<Finding>): Promise<Finding[]> {
  const all: Finding[] = []
  for await (const finding of findings) all.push(finding)
  return all
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-external-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 20 }))
  return folder
}

describe.skipIf(inject('postgresUrl') === '')('records on PostgreSQL', { timeout: 120_000 }, () => {
  async function aDatabase() {
    const database = await newPostgresDatabase(inject('postgresUrl'))
    onTestFinished(() => database.drop())
    return database
  }

  async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
    const pool = postgresPool(url)
    return pool
      .query<Record<string, unknown>>(statement)
      .then(({ rows }) => rows)
      .finally(() => pool.end())
  }

  test('a content that they name and that is missing or damaged is a failure, of files and of everything else', async () => {
    const { url: databaseUrl } = await aDatabase()
    const dataDir = aFolder()
    const blobs = fileBlobs(join(dataDir, 'blobs'))
    const kept = await Promise.all(['one', 'two', 'three'].map((text) => blobs.put(Buffer.from(text))))
    const database = await openPostgres(databaseUrl)
    for (const { digest: sha256 } of kept) await database.insertInto('blob_references').values({ holder: 'checkpoint:x', sha256 }).execute()
    await database.destroy()
    const check = () => collect(checkContents({ blobsUrl: undefined, dataDir, databaseUrl }, whole))
    expect(await check()).toMatchObject([{ state: 'ok' }])
    const [missing = '', damaged = ''] = kept.map(({ digest }) => digest)
    await blobs.delete(missing)
    flip(join(dataDir, 'blobs', damaged.slice(0, 2), damaged.slice(2, 4), damaged), 0.5)
    expect(await check()).toMatchObject([
      { state: 'failure', detail: `blob ${damaged} is damaged` },
      { state: 'failure', detail: `blob ${missing} is missing` },
    ])
  })

  test('a database of which there are no tables yet names no content', async () => {
    const { url: databaseUrl } = await aDatabase()
    expect(await collect(checkContents({ blobsUrl: undefined, dataDir: aFolder(), databaseUrl }, whole))).toMatchObject([{ state: 'ok' }])
  })

  test('are read to the last row, and a table with a damaged page is named', async () => {
    const { url, name } = await aDatabase()
    const database = await openPostgres(url)
    await database.insertInto('projects').values({ id: 'e/p', internal_id: 'i', entity: 'e', name: 'p', created_at: 1 }).execute()
    await database.destroy()
    const check = (databaseUrl: string, isQuick = false) => collect(checkRecords({ dataDir: '/none', databaseUrl }, { ...whole, isQuick }))
    expect(await check(url)).toContainEqual({
      name: 'Records',
      state: 'ok',
      detail: expect.stringMatching(/PostgreSQL \S+ .*all rows read/),
    })
    // A copy of the files, of which PostgreSQL has no page in memory yet.
    const [place] = await run(url, `SELECT current_setting('data_directory') AS folder, pg_relation_filepath('projects') AS path`)
    const copy = `${name}_copy`
    await run(inject('postgresUrl'), `CREATE DATABASE ${copy} TEMPLATE ${name} STRATEGY FILE_COPY`)
    onTestFinished(async () => void (await run(inject('postgresUrl'), `DROP DATABASE ${copy} WITH (FORCE)`)))
    const [found] = await run(inject('postgresUrl'), `SELECT oid FROM pg_database WHERE datname = '${copy}'`)
    const path = String(place?.['path']).replace(/^base\/\d+/, `base/${String(found?.['oid'])}`)
    const file = await open(join(String(place?.['folder']), path), 'r+')
    await file.write(Buffer.alloc(4_096, 0xab), 0, 4_096, 0)
    await file.close()
    const damagedUrl = url.replace(name, copy)
    expect((await check(damagedUrl, true)).map(({ state }) => state)).not.toContain('failure')
    expect(await check(damagedUrl)).toContainEqual({
      name: 'Records',
      state: 'failure',
      detail: expect.stringMatching(/table projects of PostgreSQL is damaged: .*(invalid page|verification failed)/),
      remedy: expect.stringContaining('backup'),
    })
  })

  test('a database of a newer version is a failure: the server would not start', async () => {
    const { url: databaseUrl } = await aDatabase()
    await (await openPostgres(databaseUrl)).destroy()
    await run(databaseUrl, `INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2030-01-01')`)
    expect(await collect(checkRecords({ dataDir: '/none', databaseUrl }, whole))).toContainEqual({
      name: 'Records',
      state: 'failure',
      detail: expect.stringContaining('9999-later'),
      remedy: expect.any(String),
    })
  })
})

describe('tables on a ClickHouse server', { timeout: 120_000 }, () => {
  const configurationOf = (clickhouseUrl: string) =>
    toConfiguration({ environment: {}, flags: { dataDir: aFolder(), apiKey: 'a-key-of-the-tests-of-external-stores', clickhouseUrl } })

  async function aServer() {
    const dataDir = aFolder()
    const engine = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 1e9 })
    onTestFinished(() => engine.stop())
    const cluster = await serveEngineAsCluster(engine)
    onTestFinished(() => cluster.close())
    return { cluster, dataDir }
  }

  test('that has no database yet are not there to be examined, and the server is fine', async () => {
    const { cluster } = await aServer()
    expect(await collect(checkTables(configurationOf(cluster.url), whole))).toEqual([])
    expect(await checkEngine({ clickhouseUrl: cluster.url })).toMatchObject({ state: 'ok', detail: 'responds, version 26.3.1.1' })
  })

  test('that does not answer are a failure of the engine', async () => {
    expect(await checkEngine({ clickhouseUrl: 'http://127.0.0.1:9' })).toMatchObject({
      state: 'failure',
      remedy: 'check HEDDLE_CLICKHOUSE_URL',
    })
    expect(await collect(checkTables(configurationOf('http://127.0.0.1:9'), whole))).toEqual([])
  })

  test('are read to the last byte, and a damaged part is named with what to do there', async () => {
    const { cluster, dataDir } = await aServer()
    await prepareCluster(cluster.url)
    const database = await openMemoryDatabase()
    onTestFinished(() => database.destroy())
    const analytical = createClickHouseStore({ target: { url: cluster.url }, timing: systemTiming })
    await migrateAnalytical({ analytical, database, locks: processLock(), kind: 'embedded', now: () => 1 })
    await analytical.insert(callsTable, aBlock(callsTable, aCallRow({ started_at: 1_767_571_200_000_000 })))
    await analytical.close()
    const check = () => collect(checkTables(configurationOf(cluster.url), whole))
    expect(await check()).toContainEqual({ name: 'Tables', state: 'ok', detail: '1 parts read, all as they were written' })
    const calls = realpathSync(join(dataDir, 'store', 'data', 'heddle', 'calls'))
    const part = readdirSync(calls).find((name) => /^\d{6}_/.test(name)) ?? ''
    flip(join(calls, part, 'data.bin'), 0.02)
    expect(await check()).toContainEqual({
      name: 'Tables',
      state: 'failure',
      detail: expect.stringMatching(new RegExp(`part ${part} of table calls is damaged`)),
      remedy: expect.stringContaining(`ALTER TABLE heddle.calls DETACH PART '${part}'`),
    })
  })
})
