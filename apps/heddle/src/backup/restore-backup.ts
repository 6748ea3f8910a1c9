import { randomUUID } from 'node:crypto'
import { copyFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  type Analytical,
  bindStores,
  type Blobs,
  checkReferences,
  codeOf,
  copiedTables,
  countSqliteRows,
  createClickHouseStore,
  fileBlobs,
  lockFolder,
  openSqlite,
  processLock,
  restoreTable,
  systemTiming,
  derivedTableSteps,
} from '@heddle/datastore'
import { startEmbeddedEngine } from '../stores/embedded-engine.ts'
import { sqlitePath } from '../stores/data-folder.ts'
import { syncFolder, syncOne } from '../archive/sync-folder.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { draftOf, removeAbandonedDrafts } from './abandoned-drafts.ts'
import { copyBlobs } from './blob-stats.ts'
import { blobsFolder, sqliteFile, tablesFolder } from './create-backup.ts'
import { assertNothingIn, makeEmptyFolder } from '../archive/empty-folder.ts'
import type { Manifest } from './manifest.ts'
import { statsOfParts } from './table-stats.ts'
import { verifyBackup } from './verify-backup.ts'

export interface RestoreOptions {
  folder: string
  /** Must be empty or absent. */
  dataDir: string
  /** The blobs of a server with this data folder. */
  openBlobs: (dataDir: string) => Blobs
  onStep: (step: string) => void
}

/**
 * Creates a data folder from a backup. Everything is assembled in a draft folder next to it and compared with the backup, down to the bytes of the
 * tables. The draft becomes the data folder only as a whole; after a failure nothing is left.
 */
export async function restoreBackup({ folder, dataDir, openBlobs, onStep }: RestoreOptions): Promise<Manifest> {
  await assertNothingIn(dataDir)
  for (const path of await removeAbandonedDrafts(dataDir)) onStep(`Removed ${path}, which a restore left that was killed`)
  const manifest = await verifyBackup(folder, onStep)
  // Processes in several containers may have the same id.
  const draft = draftOf(dataDir, randomUUID())
  await makeEmptyFolder(draft)
  const lock = await lockFolder({ folder: draft, mode: 'exclusive', purpose: 'heddle restore' })
  try {
    await restoreSqlite({ folder, draft, manifest })
    onStep('Restoring blobs')
    const blobs = openBlobs(draft)
    const copied = await copyBlobs({
      from: fileBlobs(join(folder, blobsFolder)),
      to: blobs,
      onCopied: (count) => onStep(`Restoring blobs: ${count} of ${manifest.blobs.count}`),
    })
    assertEqual('blobs', copied, manifest.blobs)
    await withAnalytical({ folder, draft }, async (analytical) => {
      await restoreTables({ analytical, manifest, onStep })
      onStep('Checking references')
      await assertReferences({ analytical, draft, blobs })
      await bind({ analytical, draft, blobs })
    })
    onStep('Writing to disk')
    await syncFolder(draft)
    await moveIntoPlace(draft, dataDir)
    return manifest
  } finally {
    await rm(draft, { recursive: true, force: true })
    lock.release()
  }
}

interface Restore {
  /** The backup. */
  folder: string
  /** Becomes the data folder. */
  draft: string
}

async function restoreSqlite({ folder, draft, manifest }: Restore & { manifest: Manifest }): Promise<void> {
  const path = sqlitePath(draft)
  await copyFile(join(folder, sqliteFile), path)
  assertEqual('relational data', countSqliteRows(path), manifest.records)
}

/** A separate engine on the draft, which reads copies from the backup. */
async function withAnalytical({ folder, draft }: Restore, work: (analytical: Analytical) => Promise<void>): Promise<void> {
  const engine = await startEmbeddedEngine({ dataDir: join(draft, 'engine'), backupDir: folder })
  try {
    const analytical = createClickHouseStore({ target: { engine }, timing: systemTiming })
    await work(analytical).finally(() => analytical.close())
  } finally {
    await engine.stop()
  }
}

interface TablesRestore {
  analytical: Analytical
  manifest: Manifest
  onStep: (step: string) => void
}

async function restoreTables({ analytical, manifest, onStep }: TablesRestore): Promise<void> {
  for (const table of copiedTables) {
    const expected = manifest.tables[table]
    // The table is newer than the backup: the next start creates it.
    if (expected === undefined) continue
    onStep(`Restoring table ${table}`)
    const parts = await restoreTable(analytical, { table, folder: tablesFolder })
    assertEqual(`table ${table}`, await statsOfParts(parts), expected)
  }
}

async function assertReferences({ analytical, draft, blobs }: { analytical: Analytical; draft: string; blobs: Blobs }): Promise<void> {
  const database = await openSqlite(sqlitePath(draft))
  try {
    const { missing } = await checkReferences({ analytical, database, blobs })
    if (missing.length > 0) throw new UsageError(`the backup is missing data that it refers to: ${missing.join('; ')}`)
  } finally {
    await database.destroy()
  }
}

/** Binds the restored stores under the id in the relational data, and marks the derived tables, which are not copied, to be recomputed. */
async function bind({ analytical, draft, blobs }: { analytical: Analytical; draft: string; blobs: Blobs }): Promise<void> {
  const database = await openSqlite(sqlitePath(draft))
  try {
    await bindStores({ analytical, database, blobs, locks: processLock(), kind: 'embedded', newId: randomUUID, accepts: 'missing' })
    // Traces and their usage are not in backups: the next start creates their tables and derives them from the calls.
    await database.deleteFrom('analytical_migrations').where('name', 'in', derivedTableSteps).execute()
  } finally {
    await database.destroy()
  }
}

function assertEqual(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new UsageError(
    `${what}: restored ${JSON.stringify(found)}, expected ${JSON.stringify(expected)} as in the backup; nothing was changed`,
  )
}

/** Moves the draft to its place atomically and durably. If another process has written to the data folder meanwhile, its files are kept. */
async function moveIntoPlace(draft: string, dataDir: string): Promise<void> {
  try {
    await rmdir(dataDir).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    await rename(draft, dataDir)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
    throw new UsageError(
      `another process has written to ${dataDir} during the restore, so nothing was restored; choose a new folder, or empty it`,
    )
  }
  await syncOne(dirname(dataDir))
}
