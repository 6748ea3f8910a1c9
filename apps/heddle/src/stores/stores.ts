import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  type Analytical,
  bindStores,
  type Blobs,
  createClickHouseStore,
  createPartLedger,
  derivedTableSteps,
  findMismatch,
  type JournalDamage,
  type KeyedLock,
  migrateAnalytical,
  prepareCluster,
  readDetachedParts,
  readStoreKind,
  type RefusedRows,
  type RelationalStore,
  setTextIndex,
  type StatementPermits,
  type StoreError,
  systemTiming,
  type TableDamage,
  type TraceStatement,
} from '@heddle/datastore'
import { readMemoryLimit } from '@heddle/datastore/memory'
import { createTraceSettling, rebuildTraces } from '@heddle/tracing'
import { planMemory } from '../process/memory-plan.ts'
import { systemClock } from '../process/system-clock.ts'
import type { Configuration } from '../settings/configuration.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { openBlobs } from './blobs.ts'
import { createDataFolderCheck, lockDataFolder, sqlitePath } from './data-folder.ts'
import { type Closers, openDatabase, openLocks } from './database.ts'
import { startEmbeddedEngine } from './embedded-engine.ts'
import { takeScratchFolder } from './scratch-folder.ts'
import { messageOf } from '../terminal/message-of.ts'

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
  /** False once the data folder was removed, moved or replaced: later writes would be lost. */
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
  /** Called when a process of the embedded engine has begun, before it is ready: the time for other work of a start. */
  onEngineForked?: () => void
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
  const closers: Closers = []
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    // Before anything in the folder is touched.
    const lock = await lockDataFolder(configuration, options.purpose)
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
    const assertDiskSpace = createDataFolderCheck(configuration)
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

async function openAnalytical({
  configuration,
  permits,
  onEngineForked: onForked,
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
      throw new UsageError(`cannot use the ClickHouse server at HEDDLE_CLICKHOUSE_URL: ${messageOf(error)}`)
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
  const engine = await startEmbeddedEngine({
    dataDir,
    memoryLimitBytes,
    heapBytes,
    ...(onForked && { onForked }),
    onRestart: onEngineRestart,
    onSocketReopened,
  })
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
