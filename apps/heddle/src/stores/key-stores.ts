import { type FolderLock, lockFolder, needsMigration, type RelationalStore, StoreError } from '@heddle/datastore'
import { type IdentityStore, sqlIdentityStore } from '@heddle/identity'
import { type MadeByKeysStore, type ShellChangesStore, sqlMadeByKeysStore, sqlShellChangesStore } from '@heddle/tracing'
import { systemClock } from '../process/system-clock.ts'
import type { Configuration } from '../settings/configuration.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { openDatabase } from './database.ts'
import { sqlitePath } from './data-folder.ts'

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
