import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  type Analytical,
  bindStores,
  type Blobs,
  createClickHouseStore,
  createDiskSpaceCheck,
  createPartLedger,
  fileBlobs,
  findMismatch,
  type FolderLock,
  type TraceStatement,
  type JournalDamage,
  type KeyedLock,
  lockFolder,
  migrateAnalytical,
  needsMigration,
  openSqlite,
  type OpenSqliteOptions,
  prepareCluster,
  processLock,
  readDetachedParts,
  readDiskSpace,
  readStoreKind,
  type RefusedRows,
  type RelationalStore,
  s3Blobs,
  setTextIndex,
  type StatementPermits,
  StoreError,
  systemTiming,
  type TableDamage,
  derivedTableSteps,
} from '@heddle/datastore'
import { readMemoryLimit } from '@heddle/datastore/memory'
import { type IdentityStore, sqlIdentityStore } from '@heddle/identity'
import {
  createTraceSettling,
  type MadeByKeysStore,
  rebuildTraces,
  type ServerFacts,
  type ShellChangesStore,
  sqlMadeByKeysStore,
  sqlShellChangesStore,
} from '@heddle/tracing'
import type { ExternalServices } from './external-services.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createReadStorage } from './read-storage.ts'
import { takeScratchFolder } from './scratch-folder.ts'
import { startEmbeddedEngine } from './embedded-engine.ts'
import { planMemory } from './process/memory-plan.ts'
import { systemClock } from './process/system-clock.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface EngineProcess {
  pid: number
  /** Of all queries and merges. */
  memoryLimitBytes: number
}

/** All stores of the server, opened and migrated. */
export interface Stores {
  analytical: Analytical
  database: RelationalStore
  blobs: Blobs
  locks: KeyedLock
  /** True when other servers may write to the same analytical store. */
  sharesStore: boolean
  /** Rejects with StoreError `full` while the disk of the data folder has no room for more. */
  assertDiskSpace: () => Promise<void>
  /** Milliseconds since the embedded engine exited; 0 while it is up, and for a cluster. */
  engineDownMs: () => number
  /** The process of the embedded engine; undefined while it is down, and for a cluster. */
  engineProcess: () => EngineProcess | undefined
  /** Folder of this server alone for files that can be made again. */
  scratchDir: string
  /** False once the data folder was removed, moved or replaced: what is written there is lost. */
  isFolderHeld: () => Promise<boolean>
  /** Finishes running work, then closes all stores. */
  close(): Promise<void>
}

export interface StoresOptions {
  configuration: Configuration
  /** What the process does with the data folder, such as `heddle serve`, for the message that others get meanwhile. */
  purpose: string
  /** Which statement of the requests runs when. Absent: no requests are served. */
  permits?: StatementPermits
  /** Called after the embedded engine exited and was restarted. */
  onEngineRestart: (event: { reason: string; restarts: number }) => void
  /** Called after another program removed the socket of the embedded engine, which is open again. */
  onEngineSocketReopened: () => void
  /** Called when the embedded engine rejects acknowledged rows, with the file that keeps them. */
  onRefusedRows: (refusal: RefusedRows) => void
  /** Called for damage in the journals that an earlier process left. */
  onJournalDamage: (damage: JournalDamage) => void
  /** Called with the seconds after each sync of acknowledged rows to the journal of the embedded engine. */
  onJournalSync?: (seconds: number) => void
  /** Called with table parts whose rows are missing from results: the engine cannot read them, or their files are gone. */
  onTableDamage: (damage: TableDamage) => void
  /** Called each time damage is met, with an error of kind `damaged` that names it. */
  onDamage: (error: StoreError) => void
  /** Called when a statement begins. Absent: they are not followed. */
  trace?: TraceStatement | undefined
  /** Called when what follows from calls that were written could not be derived: traces and their usage may be out of date. */
  onDeriveFailed?: (error: unknown) => void
  /** Called while traces are settled that a version without their tables stored. */
  onRebuild?: (done: number, total: number) => void
  /** Called where the relational database is too large to be examined whole at a start. */
  onPartlyExamined: (tables: { examined: number; all: number }) => void
  /** True when the operator accepts the configured stores as they are: as one although their ids differ, and without acknowledged commits that are missing. */
  acceptsStores?: boolean
}

/**
 * Opens the stores that the configuration names, creating and migrating as needed.
 * What was opened is closed again when a later one fails.
 * @throws StoreError that names the process when another server holds the data folder, or says which stores do not belong together.
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { configuration } = options
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    // Before anything in the folder is touched.
    const lock = await lockDataFolder(options)
    closers.push(async () => lock.release())
    const scratch = await takeScratchFolder(configuration.dataDir)
    closers.push(async () => scratch.release())
    const { analytical, engineDownMs, engineProcess } = await openAnalytical({ ...options, closers })
    const database = await openDatabase(configuration, {
      onUnfinished: options.onPartlyExamined,
      onDamage: options.onDamage,
      ...(options.acceptsStores ? { acceptsMissingCommits: true } : { beforeChanges: () => refuseMismatch(configuration, analytical) }),
    })
    closers.push(() => database.destroy())
    const locks = await openLocks(configuration, closers)
    const kind = await readStoreKind(analytical)
    await migrateAnalytical({
      analytical,
      database,
      locks,
      kind,
      now: systemClock,
      ...(options.acceptsStores && { recreates: true }),
      // Calls of older versions.
      async afterMigration(name) {
        if (name === derivedTableSteps.at(-1))
          await rebuildTraces({ analytical, ...(options.onRebuild && { onProgress: options.onRebuild }) })
      },
    })
    const { textIndex } = configuration
    await setTextIndex({ analytical, locks, kind, isOn: textIndex === undefined ? undefined : textIndex === 'on' })
    const blobs = openBlobs(configuration, options.onDamage)
    await bindStores({ analytical, database, blobs, locks, kind, newId: randomUUID, ...(options.acceptsStores && { accepts: 'all' }) })
    const sharesStore = configuration.clickhouseUrl !== undefined
    const assertDiskSpace = diskSpaceCheck(configuration)
    return {
      analytical,
      database,
      locks,
      sharesStore,
      assertDiskSpace,
      engineDownMs,
      engineProcess,
      isFolderHeld: () => lock.isHeld(),
      scratchDir: scratch.path,
      blobs,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Before records that belong to other tables and blobs are migrated, or missing ones created. PostgreSQL is compared once it is open. */
async function refuseMismatch(configuration: Configuration, { stored }: Analytical): Promise<void> {
  const mismatch = await findMismatch({ database: sqlitePath(configuration.dataDir), analytical: stored, blobs: openBlobs(configuration) })
  if (mismatch) throw mismatch
}

/** Servers whose tables and records are all elsewhere may share a folder of blobs; any other one has its folder for itself. */
function lockDataFolder({ configuration, purpose }: StoresOptions): Promise<FolderLock> {
  const mode = usesDataFolder(configuration) ? 'exclusive' : 'shared'
  return lockFolder({ folder: configuration.dataDir, mode, purpose })
}

/** True when everything is kept in the data folder, and nothing by other servers. */
export function keepsAll({ clickhouseUrl, databaseUrl }: Configuration): boolean {
  return clickhouseUrl === undefined && databaseUrl === undefined
}

/** What operators see of the stores, and of where the server may send requests. */
export function serverFacts(configuration: Configuration, { serviceHosts }: Pick<ExternalServices, 'serviceHosts'>): ServerFacts {
  const { clickhouseUrl, databaseUrl, blobsUrl, dataDir } = configuration
  return {
    store: {
      calls: clickhouseUrl === undefined ? 'embedded' : 'clickhouse',
      records: databaseUrl === undefined ? 'sqlite' : 'postgres',
      files: blobsUrl === undefined ? 'folder' : 's3',
    },
    outgoing: { allowed_hosts: [...configuration.allowedHosts], service_hosts: [...serviceHosts] },
    readStorage: createReadStorage(dataDir),
    readDisk: async () => (usesDataFolder(configuration) ? readDiskSpace(dataDir) : null),
  }
}

/** External databases manage their own disks. */
function usesDataFolder({ clickhouseUrl, databaseUrl }: Configuration): boolean {
  return clickhouseUrl === undefined || databaseUrl === undefined
}

function diskSpaceCheck(configuration: Configuration): () => Promise<void> {
  const { dataDir } = configuration
  if (!usesDataFolder(configuration)) return async () => undefined
  return createDiskSpaceCheck({ folder: dataDir, now: () => performance.now() })
}

/** The SQLite file in a data folder. */
export function sqlitePath(dataDir: string): string {
  return join(dataDir, 'heddle.db')
}

/** @throws StoreError `full` when the disk of the data folder is full; an external database manages its own disk */
export async function assertDiskSpace({ databaseUrl, dataDir }: Configuration): Promise<void> {
  if (databaseUrl === undefined) await createDiskSpaceCheck({ folder: dataDir, now: () => performance.now() })()
}

/** What commands change of keys without a server. */
export interface KeyStores {
  store: IdentityStore
  made: MadeByKeysStore
  changes: ShellChangesStore
}

/**
 * Opens only the stores of keys and of what belongs to them for the time of `work`. A server may be using them concurrently, unless a database of the
 * folder must be created or migrated first: that needs the folder alone.
 * @throws UsageError that names the process which has the folder then
 */
export async function withKeyStores<T>(configuration: Configuration, work: (stores: KeyStores) => Promise<T>): Promise<T> {
  let lock: FolderLock | undefined
  const beforeChanges = async () => {
    if (needsMigration(sqlitePath(configuration.dataDir))) lock = await lockToMigrate(configuration.dataDir)
  }
  try {
    return await withKeyDatabase(await openDatabase(configuration, { examines: 'commits', beforeChanges }), work)
  } finally {
    lock?.release()
  }
}

function lockToMigrate(dataDir: string): Promise<FolderLock> {
  return lockFolder({ folder: dataDir, mode: 'exclusive', purpose: 'heddle keys' }).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error
    throw new UsageError(`the records of this data folder must be migrated to this version first, and ${error.message}`)
  })
}

async function withKeyDatabase<T>(database: RelationalStore, work: (stores: KeyStores) => Promise<T>): Promise<T> {
  try {
    const made = sqlMadeByKeysStore(database, systemClock)
    return await work({ store: sqlIdentityStore(database), made, changes: sqlShellChangesStore(database) })
  } finally {
    await database.destroy()
  }
}

type Closers = (() => Promise<void>)[]

async function openAnalytical({
  configuration,
  permits,
  onEngineRestart,
  onEngineSocketReopened: onSocketReopened,
  onRefusedRows,
  onJournalDamage,
  onJournalSync,
  onTableDamage,
  onDamage,
  trace,
  onDeriveFailed = () => undefined,
  closers,
}: StoresOptions & { closers: Closers }): Promise<Pick<Stores, 'analytical' | 'engineDownMs' | 'engineProcess'>> {
  const derive = createTraceSettling()
  if (configuration.clickhouseUrl !== undefined) {
    await prepareCluster(configuration.clickhouseUrl).catch((error: unknown) => {
      throw new UsageError(
        `cannot use the ClickHouse server at HEDDLE_CLICKHOUSE_URL: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
    const target = { url: configuration.clickhouseUrl }
    const analytical = createClickHouseStore({
      target,
      timing: systemTiming,
      derive,
      onDeriveFailed,
      onDamage,
      trace,
      ...(permits && { permits }),
    })
    closers.push(() => analytical.close())
    const detached = await readDetachedParts(analytical)
    onTableDamage({ detached: detached.map((part) => ({ ...part, missingRows: undefined })), lost: [] })
    return { analytical, engineDownMs: () => 0, engineProcess: () => undefined }
  }
  const dataDir = join(configuration.dataDir, 'engine')
  const { engineBytes: memoryLimitBytes, heapBytes } = planMemory(readMemoryLimit(), configuration)
  const engine = await startEmbeddedEngine({ dataDir, memoryLimitBytes, heapBytes, onRestart: onEngineRestart, onSocketReopened })
  closers.push(() => engine.stop())
  const analytical = createClickHouseStore({
    target: { engine },
    onRefused: onRefusedRows,
    onJournalDamage,
    onJournalSync,
    onDamage,
    onWritten: () => ledger.noteSoon(),
    derive,
    onDeriveFailed,
    timing: systemTiming,
    trace,
    ...(permits && { permits }),
  })
  closers.push(() => analytical.close())
  const ledger = createPartLedger({ analytical, folder: dataDir, now: () => systemClock() / 1e6 })
  closers.push(() => ledger.close())
  onTableDamage(await ledger.check())
  const engineProcess = () => (engine.pid === undefined ? undefined : { pid: engine.pid, memoryLimitBytes: engine.memoryLimitBytes })
  return { analytical, engineDownMs: () => engine.downMs, engineProcess }
}

/** The driver is loaded by servers that use it. */
const loadPostgres = () => import('@heddle/datastore/postgres')

async function openDatabase({ databaseUrl, dataDir }: Configuration, options: OpenSqliteOptions): Promise<RelationalStore> {
  if (databaseUrl === undefined) return openSqlite(sqlitePath(dataDir), options)
  const { openPostgres } = await loadPostgres()
  return openPostgres(databaseUrl).catch((error: unknown) => {
    throw new UsageError(`cannot open the database at HEDDLE_DATABASE_URL: ${error instanceof Error ? error.message : String(error)}`)
  })
}

/** Uploads to a bucket are staged in the data folder until they are complete. */
export function openBlobs(
  { blobsUrl, dataDir }: Pick<Configuration, 'blobsUrl' | 'dataDir'>,
  onDamage: (error: StoreError) => void = () => undefined,
): Blobs {
  const folder = join(dataDir, 'blobs')
  return blobsUrl === undefined ? fileBlobs(folder, { onDamage }) : s3Blobs({ ...blobsUrl, stagingDir: join(folder, 'incoming'), onDamage })
}

/** More than the wait for a lock, which the server limits itself while it responds. */
const lockResponseMs = 20_000

/** Locks shared by all servers on one PostgreSQL; else process-local, since this process is the only one. */
async function openLocks({ databaseUrl }: Configuration, closers: Closers): Promise<KeyedLock> {
  if (databaseUrl === undefined) return processLock()
  const { postgresLock, postgresPool } = await loadPostgres()
  const pool = postgresPool(databaseUrl, { responseMs: lockResponseMs })
  // A connection that breaks while idle is replaced when next needed; without a listener it would end the process.
  pool.on('error', () => undefined)
  closers.push(() => pool.end())
  return postgresLock({ pool })
}
