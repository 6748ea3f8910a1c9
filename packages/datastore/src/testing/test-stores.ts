import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Analytical } from '../analytical/analytical.ts'
import { createClickHouseStore, type ClickHouseStoreOptions, type CommitLimits } from '../analytical/clickhouse-store.ts'
import { startEngine, type Engine, type EngineOptions } from '../analytical/engine/engine.ts'
import { migrateAnalytical } from '../analytical/migrate-analytical.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { fileBlobs } from '../blobs/file-blobs.ts'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import { postgresLock } from '../locks/postgres-lock.ts'
import { processLock } from '../locks/process-lock.ts'
import { openPostgres, openSqlite, postgresPool, type Database } from '../relational/database.ts'

export interface TestStores {
  analytical: Analytical
  database: Database
  blobs: Blobs
  locks: KeyedLock
  dataDir: string
  engine: Engine
  /** Stops the engine and removes the folder. */
  close(): Promise<void>
}

export interface TestStoreOptions {
  /** The folder that holds the temporary one. Default the system's. */
  parent?: string
  /** A database server on which a new database is made, instead of a file; it is dropped at the end. */
  postgresUrl?: string
  commit?: CommitLimits
  writes?: NonNullable<ClickHouseStoreOptions['writes']>
  onRefused?: ClickHouseStoreOptions['onRefused']
  engine?: Partial<Omit<EngineOptions, 'entry'>>
}

/** The module that runs the engine, as source. */
export const engineEntry = new URL('../analytical/engine/engine-child.ts', import.meta.url)

/** Real stores in a new temporary folder, with all tables. Takes about a second. */
export async function startTestStores(options: TestStoreOptions = {}): Promise<TestStores> {
  const dataDir = await mkdtemp(join(options.parent ?? tmpdir(), 'heddle-test-'))
  const engine = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 2e9, ...options.engine })
  const { database, locks, closeRelational } = await openRelational(dataDir, options.postgresUrl)
  const analytical = createClickHouseStore({
    target: { engine },
    now: () => performance.now(),
    random: Math.random,
    commit: options.commit ?? {},
    writes: options.writes ?? 'journaled',
    ...(options.onRefused && { onRefused: options.onRefused }),
  })
  await migrateAnalytical({ analytical, database, locks, kind: 'embedded', now: () => Date.now() * 1000 })
  return {
    analytical,
    database,
    blobs: fileBlobs(join(dataDir, 'blobs')),
    locks,
    dataDir,
    engine,
    async close() {
      await analytical.close()
      await engine.stop()
      await database.destroy()
      await closeRelational()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function openRelational(dataDir: string, postgresUrl: string | undefined) {
  if (postgresUrl === undefined) {
    return { database: await openSqlite(join(dataDir, 'heddle.db')), locks: processLock(), closeRelational: async () => undefined }
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = postgresPool(postgresUrl)
  await server.query(`CREATE DATABASE ${name}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  const pool = postgresPool(url.href)
  const closeRelational = async () => {
    await pool.end()
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await server.end()
  }
  return { database: await openPostgres(url.href), locks: postgresLock({ pool }), closeRelational }
}
