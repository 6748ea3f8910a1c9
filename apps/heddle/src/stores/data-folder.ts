import { join } from 'node:path'
import { createDiskSpaceCheck, type FolderLock, lockFolder } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'

/** True when everything is kept in the data folder, and nothing by other servers. */
export function keepsAll({ clickhouseUrl, databaseUrl }: Configuration): boolean {
  return clickhouseUrl === undefined && databaseUrl === undefined
}

/** External databases manage their own disks. */
export function usesDataFolder({ clickhouseUrl, databaseUrl }: Configuration): boolean {
  return clickhouseUrl === undefined || databaseUrl === undefined
}

export function createDataFolderCheck(configuration: Configuration): () => Promise<void> {
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

/** Servers whose tables and records are all elsewhere may share a folder of blobs; any other one has its folder for itself. */
export function lockDataFolder(configuration: Configuration, purpose: string): Promise<FolderLock> {
  const mode = usesDataFolder(configuration) ? 'exclusive' : 'shared'
  return lockFolder({ folder: configuration.dataDir, mode, purpose })
}
