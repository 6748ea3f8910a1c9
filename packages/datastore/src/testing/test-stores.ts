import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Analytical } from '../analytical/analytical.ts'
import { createClickHouseStore, type ClickHouseStoreOptions, type BatchLimits } from '../analytical/clickhouse-store.ts'
import { startEngine, type Engine, type EngineOptions } from '../analytical/engine/engine.ts'
import { migrateAnalytical } from '../analytical/maintenance/migrate-analytical.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { fileBlobs } from '../blobs/file-blobs.ts'
import { createDiskSpaceCheck, type DiskSpaceOptions } from '../disk-space.ts'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { RelationalStore } from '../relational/database.ts'
import { sql } from '../analytical/sql.ts'
import { systemTiming } from '../timing.ts'
import { copyMigratedStores, engineEntry } from './migrated-stores.ts'
import { openTestRelational } from './open-test-relational.ts'

export interface TestStores {
  analytical: Analytical
  database: RelationalStore
  blobs: Blobs
  locks: KeyedLock
  dataDir: string
  engine: Engine
  /** Rejects when the disk of the folder is full; checks it on each call. */
  assertDiskSpace: () => Promise<void>
  /**
   * Stops the engine and removes the folder.
   * @throws Error when rows that were acknowledged are not in their tables, and there was no `onRefused`: no test may overlook that.
   */
  close(): Promise<void>
}

export interface TestStoreOptions {
  /** The folder that holds the temporary one. Default that of the run. */
  parent?: string
  /** A database server on which a new database is made, instead of a file; it is dropped at the end. */
  postgresUrl?: string
  batching?: BatchLimits
  writes?: NonNullable<ClickHouseStoreOptions['writes']>
  /** Which statement of the requests runs when. Absent: each at once. */
  permits?: ClickHouseStoreOptions['permits']
  /** Derives tables from calls. Absent: none. */
  derive?: ClickHouseStoreOptions['derive']
  /** What `assertDiskSpace` reads. Default the disk of the folder. */
  readDisk?: NonNullable<DiskSpaceOptions['read']>
  /** For tests that mean rows to be refused. Without it, refused rows fail `close`. */
  onRefused?: ClickHouseStoreOptions['onRefused']
  /** Called each time a query meets a damaged part. */
  onDamage?: ClickHouseStoreOptions['onDamage']
  engine?: Partial<Omit<EngineOptions, 'entry'>>
}

/** Real stores in a new temporary folder, with all tables. Takes half a second. */
export async function startTestStores(options: TestStoreOptions = {}): Promise<TestStores> {
  const dataDir = await mkdtemp(join(options.parent ?? inject('storesFolder'), 'stores-'))
  // A database server has the list of migrations, so that none of its tables may be there before.
  if (options.postgresUrl === undefined) await copyMigratedStores(dataDir)
  const engine = await startEngine({ entry: engineEntry, dataDir, memoryLimitBytes: 2e9, ...options.engine })
  const { database, locks, closeRelational } = await openTestRelational(dataDir, options.postgresUrl)
  const refusals: string[] = []
  let looks = 0
  const analytical = createClickHouseStore({
    target: { engine },
    timing: systemTiming,
    batching: options.batching ?? {},
    writes: options.writes ?? 'journaled',
    ...(options.permits && { permits: options.permits }),
    ...(options.onDamage && { onDamage: options.onDamage }),
    derive: options.derive,
    onDeriveFailed: (error) => void refusals.push(String(error)),
    onRefused: options.onRefused ?? (({ error }) => void refusals.push(error.message)),
  })
  await migrateAnalytical({ analytical, database, locks, kind: 'embedded', now: () => Date.now() * 1000 })
  return {
    analytical,
    database,
    blobs: fileBlobs(join(dataDir, 'blobs')),
    locks,
    dataDir,
    engine,
    assertDiskSpace: createDiskSpaceCheck({
      folder: dataDir,
      now: () => ++looks * 1_000_000,
      ...(options.readDisk && { read: options.readDisk }),
    }),
    async close() {
      await analytical.close()
      await engine.stop()
      await closeRelational()
      const left = await partsLeft(engine.journalDir)
      await rm(dataDir, { recursive: true, force: true })
      failOnRefusals(refusals)
      if (left.length > 0) throw new Error(`rows that were acknowledged are still in the journal: ${left.join(', ')}`)
    },
  }
}

const shared = new Map<string, Promise<{ stores: TestStores; refusals: string[] }>>()

/**
 * The stores that the test files of a worker share, since an engine takes a second to start and to stop: each test writes to a project
 * of its own, and none looks at whole tables, changes the engine or counts what all projects have. They end with the worker.
 * `close` only checks that all that was acknowledged is in its table.
 */
export async function shareTestStores(options: Pick<TestStoreOptions, 'postgresUrl' | 'writes' | 'derive'> = {}): Promise<TestStores> {
  const { postgresUrl = '', writes = 'journaled' } = options
  const key = `${writes} ${postgresUrl} ${options.derive ? 'derived' : ''}`
  const starting = shared.get(key) ?? startShared(options)
  shared.set(key, starting)
  const { stores, refusals } = await starting
  return {
    ...stores,
    async close() {
      // A read waits until acknowledged rows are in their tables.
      await stores.analytical.rows(sql`SELECT 1`)
      failOnRefusals(refusals.splice(0))
    },
  }
}

async function startShared(options: TestStoreOptions) {
  const refusals: string[] = []
  const stores = await startTestStores({ ...options, onRefused: ({ error }) => void refusals.push(error.message) })
  return { stores, refusals }
}

function failOnRefusals(refusals: readonly string[]): void {
  if (refusals.length > 0) throw new Error(`the engine refused rows that were acknowledged: ${refusals.join('\n')}`)
}

/** The parts of a journal that are not in their tables. Refused ones are reported elsewhere. */
async function partsLeft(journalDir: string): Promise<string[]> {
  const files = await readdir(journalDir, { recursive: true }).catch(() => [])
  return files.filter((file) => file.endsWith('.rows') && !file.includes('refused'))
}
