import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type RepeatedSweep, repeatSweep } from '@heddle/datastore'
import { copiesFolder } from './copy-tables.ts'
import { isBackupRunning } from './running-backup.ts'

/** Copies of tables that a killed backup or server left in the data folder; empty while a backup is running. */
export async function findAbandonedCopies(dataDir: string): Promise<string[]> {
  const copies = copiesFolder(dataDir)
  const names = await readdir(copies).catch(() => [])
  if (names.length === 0 || (await isBackupRunning(dataDir))) return []
  return names.map((name) => join(copies, name))
}

interface AbandonedCopiesOptions {
  dataDir: string
  onError: (error: unknown) => void
  /** Default: one hour. */
  everyMs?: number
}

/** Removes abandoned copies of tables now and then periodically: they are as large as the tables. */
export function removeAbandonedCopies({ dataDir, onError, everyMs = 3_600_000 }: AbandonedCopiesOptions): RepeatedSweep<void> {
  async function remove(): Promise<void> {
    for (const path of await findAbandonedCopies(dataDir)) await rm(path, { recursive: true, force: true })
  }
  return repeatSweep(remove, { everyMs, isFirstNow: true, onError })
}
