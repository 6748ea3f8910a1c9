import { stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { createBackup } from '../backup/create-backup.ts'
import { summaryOf } from '../backup/summary.ts'
import { openTableSource } from '../backup/table-source.ts'
import type { Configuration } from '../settings/configuration.ts'
import { withSteps } from '../terminal/progress.ts'
import { keepsAll, openBlobs, recordsPath } from '../server/stores.ts'
import { systemClock } from '../server/system-clock.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { version } from '../settings/version.ts'

export interface BackupOptions {
  folder: string
  /** Address of the running server; undefined: where the configuration says. */
  url: string | undefined
  configuration: Configuration
  terminal: Terminal
}

/** Writes a backup of the data folder. A running server copies its tables itself; all else is read beside it. */
export async function backup({ folder, url, configuration, terminal }: BackupOptions): Promise<void> {
  assertKeepsAll(configuration)
  const { dataDir } = configuration
  const target = resolve(folder)
  if ((await stat(recordsPath(dataDir)).catch(() => undefined)) === undefined)
    throw new UsageError(`${dataDir} holds no data yet; choose the folder of the server with --data-dir`)
  // Whoever writes to the server meanwhile goes first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const manifest = await withSteps(terminal, async (onStep) => {
    const tables = await openTableSource({ configuration, url })
    try {
      const stores = { records: recordsPath(dataDir), blobs: openBlobs(configuration), tables }
      return await createBackup({ folder: target, ...stores, version, clock: systemClock, onStep })
    } finally {
      await tables.close()
    }
  })
  terminal.note(`Backup of ${dataDir} in ${target}: ${summaryOf(manifest)}.`)
  terminal.note('Check it with `heddle restore --verify`. API keys are in it as hashes alone: keep the admin key elsewhere.')
}

/** @throws UsageError that says how to back up what is not in the data folder */
export function assertKeepsAll(configuration: Configuration): void {
  if (keepsAll(configuration)) return
  const { clickhouseUrl, databaseUrl } = configuration
  const servers = [
    clickhouseUrl && 'ClickHouse (HEDDLE_CLICKHOUSE_URL): its BACKUP',
    databaseUrl && 'PostgreSQL (HEDDLE_DATABASE_URL): pg_dump',
  ]
  throw new UsageError(
    `a part of the data is kept by a server of its own, which has its own tools for backups. ${servers.filter(Boolean).join('; ')}. ` +
      'Copy ClickHouse tables feedback and calls first, then PostgreSQL, then the other tables, then the folder of blobs',
  )
}
