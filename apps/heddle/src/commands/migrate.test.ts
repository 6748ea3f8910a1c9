import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { startEngine } from '@heddle/datastore'
import { postgresPool } from '@heddle/datastore/postgres'
import { engineEntry, newPostgresDatabase, serveEngineAsCluster, startS3Server } from '@heddle/datastore/testing'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from '../server/start-server.ts'
import { toConfiguration } from '../settings/configuration.ts'
import { runCommandHere, startCommand } from '../testing/run-command.ts'

const apiKey = 'a-key-of-the-tests-of-migrations'
const ready = expect.stringMatching(/^The stores are ready for Heddle \d+\.\d+\.\d+\.\n$/)

/** The rows of each statement. */
async function query(url: string, statements: readonly string[]): Promise<Record<string, unknown>[][]> {
  const pool = postgresPool(url)
  try {
    const results: Record<string, unknown>[][] = []
    for (const statement of statements) results.push((await pool.query<Record<string, unknown>>(statement)).rows)
    return results
  } finally {
    await pool.end()
  }
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 20 }))
  return folder
}

test('stores in a data folder are created, and created stores stay as they are', { timeout: 120_000 }, async () => {
  const environment = { HEDDLE_DATA_DIR: join(aFolder(), 'data') }
  for (const _time of [1, 2]) expect(await runCommandHere(['migrate'], environment)).toEqual({ code: 0, out: '', note: ready })
})

test('the folder of a running server is refused, with the process that has it', { timeout: 120_000 }, async () => {
  const dataDir = join(aFolder(), 'data')
  const server = startCommand(['serve', '--port', '0', '--data-dir', dataDir], {})
  await server.said('Any program')
  const { code, note } = await runCommandHere(['migrate', '--data-dir', dataDir], {})
  server.child.kill('SIGTERM')
  await server.ended
  expect([code, note]).toEqual([2, expect.stringMatching(/is in use by process \d+/)])
})

describe.skipIf(inject('postgresUrl') === '')('stores that servers share', { timeout: 240_000 }, () => {
  async function sharedStores() {
    const folder = aFolder()
    const database = await newPostgresDatabase(inject('postgresUrl'))
    onTestFinished(database.drop)
    const engine = await startEngine({ entry: engineEntry, dataDir: join(folder, 'cluster'), memoryLimitBytes: 1e9 })
    onTestFinished(() => engine.stop())
    const cluster = await serveEngineAsCluster(engine)
    onTestFinished(() => cluster.close())
    const { bucket, close } = await startS3Server()
    onTestFinished(close)
    const { origin, pathname } = new URL(bucket.url)
    const place = new URLSearchParams({ region: bucket.region, endpoint: origin })
    const blobs = {
      HEDDLE_BLOBS_URL: `s3:/${pathname}/blobs?${place.toString()}`,
      AWS_ACCESS_KEY_ID: bucket.accessKeyId,
      AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    }
    const environment = { ...blobs, HEDDLE_CLICKHOUSE_URL: cluster.url, HEDDLE_DATABASE_URL: database.url }
    return { folder, databaseUrl: database.url, environment: { ...environment, HEDDLE_API_KEY: apiKey, HEDDLE_PORT: '0' } }
  }
  type Shared = Awaited<ReturnType<typeof sharedStores>>

  async function serve({ environment, folder }: Shared) {
    const configuration = toConfiguration({
      environment: { ...environment, HEDDLE_ONLY: 'tracing' },
      flags: { dataDir: join(folder, 'data') },
    })
    const started = await startServer(configuration, createServerLog('error', { write: () => undefined }))
    onTestFinished(() => started.close())
    return createClient({ baseUrl: started.server.url, apiKey, contract: tracing, retries: 0 })
  }

  const migrateFrom = ({ environment, folder }: Shared, name: string) =>
    runCommandHere(['migrate', '--data-dir', join(folder, name)], environment)

  async function appliedSteps(databaseUrl: string): Promise<string[]> {
    const [rows = []] = await query(databaseUrl, [
      'SELECT name FROM kysely_migration UNION ALL SELECT name FROM analytical_migrations ORDER BY name',
    ])
    return rows.map(({ name }) => String(name))
  }

  /** As the version before had them: without the last step of each store. */
  const undoLastSteps = (databaseUrl: string) =>
    query(databaseUrl, [
      "DELETE FROM kysely_migration WHERE name = '0041-tokens-of-earlier-jobs'",
      "DELETE FROM analytical_migrations WHERE name = '0024-tier-of-named-rows'",
    ])

  test('are created once by any number of commands at one time', async () => {
    const stores = await sharedStores()
    const ended = await Promise.all(['a', 'b', 'c'].map((name) => migrateFrom(stores, name)))
    expect(ended).toEqual(Array.from({ length: 3 }, () => ({ code: 0, out: '', note: ready })))
    const steps = await appliedSteps(stores.databaseUrl)
    expect(steps.length).toBeGreaterThan(50)
  })

  test('are migrated while a server serves, which continues recording and reading', async () => {
    const stores = await sharedStores()
    const client = await serve(stores)
    const project_id = `migrated/${randomUUID()}`
    const record = async (op_name: string) => {
      const id = randomUUID()
      const start = { project_id, id, trace_id: id, op_name, started_at: '2026-01-05T00:00:00Z', attributes: {}, inputs: { op_name } }
      await client.calls.start({ start })
      await client.calls.end({ end: { project_id, id, ended_at: '2026-01-05T00:00:01Z', output: { op_name }, summary: {} } })
    }
    const recorded = async () => {
      const names: unknown[] = []
      for await (const call of client.calls.streamQuery({ project_id, sort_by: [{ field: 'op_name', direction: 'asc' }] }))
        names.push(call.output)
      return names
    }
    await record('a')
    const all = await appliedSteps(stores.databaseUrl)
    await undoLastSteps(stores.databaseUrl)
    expect(await appliedSteps(stores.databaseUrl)).toHaveLength(all.length - 2)

    const [ended] = await Promise.all([migrateFrom(stores, 'job'), record('b')])
    expect(ended).toEqual({ code: 0, out: '', note: ready })
    expect(await appliedSteps(stores.databaseUrl)).toEqual(all)
    await record('c')
    await expect.poll(recorded).toEqual([{ op_name: 'a' }, { op_name: 'b' }, { op_name: 'c' }])
  })

  test('of a newer version are refused, and stay as they are', async () => {
    const stores = await sharedStores()
    await migrateFrom(stores, 'first')
    await query(stores.databaseUrl, ["INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2030-01-01')"])
    const { code, note } = await migrateFrom(stores, 'first')
    expect([code, note]).toEqual([2, expect.stringContaining('9999-later')])
  })
})
