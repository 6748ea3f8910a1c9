import { stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { createBackup } from '../backup/create-backup.ts'
import { noteBackup } from '../backup/last-backup.ts'
import { withRunningBackup } from '../backup/running-backup.ts'
import { summaryOf } from '../backup/summary.ts'
import { openTableSource } from '../backup/table-source.ts'
import type { Configuration } from '../settings/configuration.ts'
import { withSteps } from '../terminal/progress.ts'
import { openBlobs } from '../stores/blobs.ts'
import { keepsAll, sqlitePath } from '../stores/data-folder.ts'
import { systemClock } from '../process/system-clock.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { version } from '../settings/version.ts'
import { messageOf } from '../terminal/message-of.ts'

export interface BackupOptions {
  folder: string
  configuration: Configuration
  terminal: Terminal
}

/** Writes a backup of the data folder. A running server copies its tables itself; everything else is read while it runs. */
export async function backup({ folder, configuration, terminal }: BackupOptions): Promise<void> {
  assertKeepsAll(configuration)
  const { dataDir } = configuration
  const target = resolve(folder)
  if ((await stat(sqlitePath(dataDir)).catch(() => undefined)) === undefined)
    throw new UsageError(`${dataDir} contains no data yet; point --data-dir at the data folder of the server`)
  // Requests to the server take precedence.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const manifest = await withSteps(terminal, async (onStep) => {
    const tables = await openTableSource(configuration)
    try {
      const stores = { records: sqlitePath(dataDir), blobs: openBlobs(configuration), tables }
      return await withRunningBackup(dataDir, () => createBackup({ folder: target, ...stores, version, clock: systemClock, onStep }))
    } finally {
      await tables.close()
    }
  })
  await noteBackup(dataDir, manifest).catch((error: unknown) =>
    terminal.note(`The server will not know of this backup: ${messageOf(error)}`),
  )
  terminal.note(`Backed up ${dataDir} to ${target}: ${summaryOf(manifest)}.`)
  terminal.note('Verify it with `heddle restore --verify`. It contains API keys only as hashes: keep the admin key elsewhere.')
}

/** @throws UsageError that says how to back up stores outside the data folder */
export function assertKeepsAll(configuration: Configuration): void {
  if (keepsAll(configuration)) return
  const { clickhouseUrl, databaseUrl } = configuration
  const servers = [
    clickhouseUrl && 'BACKUP for ClickHouse (HEDDLE_CLICKHOUSE_URL)',
    databaseUrl && 'pg_dump for PostgreSQL (HEDDLE_DATABASE_URL)',
  ]
  throw new UsageError(
    `heddle backup covers only the data folder; back up external databases with their own tools: ${servers.filter(Boolean).join('; ')}. ` +
      'Copy the ClickHouse tables feedback and calls first, then PostgreSQL, then the other tables, then the blobs folder',
  )
}
