import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Blobs,
  codeOf,
  copySqlite,
  type CopiedTable,
  countSqliteRows,
  fileBlobs,
  tablesAfterRelational,
  tablesBeforeRelational,
} from '@heddle/datastore'
import { copyBlobs } from './blob-stats.ts'
import { makeEmptyFolder } from '../archive/empty-folder.ts'
import { type HashedFile, hashFile, listFiles } from '../archive/hashed-files.ts'
import { type Manifest, writeManifest } from './manifest.ts'
import { statsOfCopy } from './table-stats.ts'
import { syncFolder } from '../archive/sync-folder.ts'
import type { TableSource } from './table-source.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface CreateBackupOptions {
  /** Must be empty, or not there. */
  folder: string
  /** Path of the SQLite file with the relational data. Others may be writing to it. */
  records: string
  tables: TableSource
  blobs: Blobs
  version: string
  /** Microseconds since 1970. */
  clock: () => number
  onStep: (step: string) => void
}

/** Names of the parts of a backup. */
export const tablesFolder = 'tables'
/** The copy of the relational data. */
export const sqliteFile = 'records.db'
export const blobsFolder = 'blobs'

/**
 * Writes a backup of all stores while they are in use. Stores are copied one after the other, each before those that it refers to: calls
 * and feedback, then relational data, then values of objects and tables, then blobs. What is named is always written first, so the copies
 * hold all that they name, and all that was acknowledged before the start.
 */
export async function createBackup(options: CreateBackupOptions): Promise<Manifest> {
  const { folder, clock, onStep } = options
  await assertNoOtherBackup(folder)
  await makeEmptyFolder(folder)
  await claim(folder)
  const startedAt = clock()
  await copyTables(options, tablesBeforeRelational)
  onStep('Copying relational data')
  copySqlite(options.records, join(folder, sqliteFile))
  await copyTables(options, tablesAfterRelational)
  const blobs = await copyBlobs({
    from: options.blobs,
    to: fileBlobs(join(folder, blobsFolder)),
    onCopied: (count) => onStep(`Copying blobs: ${count}`),
  })
  // Where contents waited for their hashes.
  await rm(join(folder, blobsFolder, 'incoming'), { recursive: true, force: true })
  const records = countSqliteRows(join(folder, sqliteFile))
  onStep('Hashing')
  const files = await hashAll(folder)
  const manifest = {
    version: options.version,
    started_at: toIso(startedAt),
    ended_at: toIso(clock()),
    tables: await statsOfTables(folder, files),
    records,
    blobs,
    files,
  }
  await syncFolder(join(folder, tablesFolder))
  await writeManifest(folder, manifest)
  return { format: 1, ...manifest }
}

/** @throws UsageError for what a backup has begun and not completed */
async function assertNoOtherBackup(folder: string): Promise<void> {
  const names: string[] = await readdir(folder).catch(() => [])
  if (!names.includes(tablesFolder) || names.includes('manifest.json')) return
  throw new UsageError(
    `${folder} has a backup that did not finish, or that another process is writing; choose a new folder, and remove this one if no backup is running`,
  )
}

/** Of several backups to one folder, only one continues. */
async function claim(folder: string): Promise<void> {
  await mkdir(join(folder, tablesFolder), { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
    throw new UsageError(`another backup is being written to ${folder}; choose another folder for this one`)
  })
}

async function copyTables({ folder, tables, onStep }: CreateBackupOptions, names: readonly CopiedTable[]): Promise<void> {
  const copies = await tables.copy(names, (table) => onStep(`Copying table ${table}`))
  try {
    for (const name of names) await move(join(copies.path, name), join(folder, tablesFolder, name))
  } finally {
    await copies.remove()
  }
}

/** Copies if source and target are on different disks. */
async function move(from: string, to: string): Promise<void> {
  await mkdir(join(to, '..'), { recursive: true, mode: 0o700 })
  await rename(from, to).catch(async (error: unknown) => {
    if (codeOf(error) !== 'EXDEV') throw error
    await cp(from, to, { recursive: true, errorOnExist: true })
  })
}

/** All files but the contents, which are named by their hashes. */
async function hashAll(folder: string): Promise<HashedFile[]> {
  const files = [await hashFile(folder, sqliteFile, { sync: true })]
  for (const path of await listFiles(folder, tablesFolder)) files.push(await hashFile(folder, path))
  return files
}

async function statsOfTables(folder: string, files: readonly HashedFile[]): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = {}
  for (const name of [...tablesBeforeRelational, ...tablesAfterRelational])
    tables[name] = await statsOfCopy(join(folder, tablesFolder, name), filesOfTable(files, name))
  return tables
}

/** The files of a table's copy, with paths inside of it. */
export function filesOfTable(files: readonly HashedFile[], table: string): HashedFile[] {
  const begin = `${tablesFolder}/${table}/`
  return files.filter(({ path }) => path.startsWith(begin)).map((file) => ({ ...file, path: file.path.slice(begin.length) }))
}

function toIso(micros: number): string {
  return new Date(micros / 1_000).toISOString()
}
