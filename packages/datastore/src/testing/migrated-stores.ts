import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createClickHouseStore } from '../analytical/clickhouse-store.ts'
import { startEngine } from '../analytical/engine/engine.ts'
import { migrateAnalytical } from '../analytical/maintenance/migrate-analytical.ts'
import { processLock } from '../locks/process-lock.ts'
import { openSqlite } from '../relational/database.ts'
import { systemTiming } from '../timing.ts'

/** The module that runs the engine. */
export const engineEntry = new URL('engine-child.js', inject('builtChildren'))

let making: Promise<void> | undefined

/**
 * Fills an empty data folder with stores that have all their tables and no rows, as the first start of a server leaves them. They are migrated once
 * in a run and copied from then on: migrating takes twice the processor time of a start.
 */
export async function copyMigratedStores(dataDir: string): Promise<void> {
  const migrated = join(inject('storesFolder'), 'migrated')
  if (!existsSync(migrated)) await (making ??= makeMigratedStores(migrated))
  // The engine finds its tables through relative links.
  await cp(migrated, dataDir, { recursive: true, verbatimSymlinks: true })
}

async function makeMigratedStores(migrated: string): Promise<void> {
  const folder = await mkdtemp(`${migrated}-`)
  const engine = await startEngine({ entry: engineEntry, dataDir: folder, memoryLimitBytes: 1e9 })
  const database = await openSqlite(join(folder, 'heddle.db'))
  const analytical = createClickHouseStore({ target: { engine }, timing: systemTiming })
  await migrateAnalytical({ analytical, database, locks: processLock(), kind: 'embedded', now: () => Date.now() * 1000 })
  await analytical.close()
  await engine.stop()
  await database.destroy()
  // Another worker may have been faster.
  await rename(folder, migrated).catch(() => rm(folder, { recursive: true }))
}
