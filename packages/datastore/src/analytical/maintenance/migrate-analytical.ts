import type { KeyedLock } from '../../locks/keyed-lock.ts'
import { newerData } from '../../newer-data.ts'
import type { Database } from '../../relational/database.ts'
import { type Analytical, StoreError } from '../analytical.ts'
import { callsAndObjectValues } from '../migrations/0001-calls-and-object-values.ts'
import { tables } from '../migrations/0002-tables.ts'
import { feedback } from '../migrations/0003-feedback.ts'
import { timeOfCallsThatStay } from '../migrations/0004-time-of-calls-that-stay.ts'
import { usageOfCalls } from '../migrations/0005-usage-of-calls.ts'
import { syncedParts } from '../migrations/0006-synced-parts.ts'
import { leanIndexOfRows } from '../migrations/0007-lean-index-of-rows.ts'
import { sharedLeaves } from '../migrations/0008-shared-leaves.ts'
import { columnsOfResults } from '../migrations/0009-columns-of-results.ts'
import { evaluationOfTrials } from '../migrations/0010-evaluation-of-trials.ts'
import { spansOfCalls } from '../migrations/0011-spans-of-calls.ts'
import { kindsOfCalls } from '../migrations/0012-kinds-of-calls.ts'
import { tracesAndUsage } from '../migrations/0013-traces-and-usage.ts'
import type { AnalyticalMigration } from '../migrations/analytical-migration.ts'
import { ownSql, sql } from '../sql.ts'
import type { StoreKind } from '../table-definition.ts'
import { serverWork } from '../queries/work-scope.ts'

/** All steps of this version, in order. */
export const analyticalSteps: readonly AnalyticalMigration[] = [
  callsAndObjectValues,
  tables,
  feedback,
  timeOfCallsThatStay,
  usageOfCalls,
  syncedParts,
  leanIndexOfRows,
  sharedLeaves,
  columnsOfResults,
  evaluationOfTrials,
  spansOfCalls,
  kindsOfCalls,
  tracesAndUsage,
]

export interface MigrateAnalyticalOptions {
  analytical: Analytical
  /** Holds the list of applied migrations. */
  database: Database
  locks: KeyedLock
  kind: StoreKind
  /** Microseconds since 1970. */
  now: () => number
  /** True when an operator accepts that all tables are gone: they are made again, empty. */
  recreates?: boolean
  /** Called after the statements of a migration and before it counts as applied, for what statements alone cannot do. It is repeated where it fails. */
  afterMigration?: (name: string) => Promise<void>
}

/**
 * Migrates the tables of the analytical store. Concurrent starts are serialised.
 * @throws StoreError of the statement that failed; earlier steps are kept. Or, before any change, when a newer version has migrated the tables, or when
 * the database lists migrations of tables that this store does not have.
 */
export async function migrateAnalytical({
  analytical,
  database,
  locks,
  kind,
  now,
  recreates,
  afterMigration,
}: MigrateAnalyticalOptions): Promise<void> {
  await locks.withKeys(serverWork, ['analytical-migrations'], async () => {
    const applied = await database.selectFrom('analytical_migrations').select('name').execute()
    const known = new Set(applied.map((row) => row.name))
    const newer = [...known].find((name) => !analyticalSteps.some((migration) => migration.name === name))
    if (newer !== undefined) throw newerData(newer)
    if (known.size > 0 && !(await hasTables(analytical))) {
      if (!recreates) throw missingTables()
      await database.deleteFrom('analytical_migrations').execute()
      known.clear()
    }
    for (const migration of analyticalSteps) {
      if (known.has(migration.name)) continue
      for (const statement of migration.statements(kind)) await analytical.execute(ownSql(statement))
      for (const statement of migration.inBackground?.(kind) ?? []) await analytical.execute(ownSql(statement), { inBackground: true })
      await afterMigration?.(migration.name)
      await database.insertInto('analytical_migrations').values({ name: migration.name, applied_at: now() }).execute()
    }
  })
}

/** The first migration makes this table, and none removes it. */
async function hasTables(analytical: Pick<Analytical, 'rows'>): Promise<boolean> {
  const found = await analytical.rows(sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'calls'`)
  return found.length > 0
}

function missingTables(): StoreError {
  return new StoreError(
    'failed',
    'the relational database knows tables of calls that the call store does not have. Servers that share a PostgreSQL database (HEDDLE_DATABASE_URL) must also share ' +
      'the ClickHouse server that has these tables (HEDDLE_CLICKHOUSE_URL); a server with an embedded engine needs a database of its own. ' +
      'Where the tables were removed, restore a backup into a new data folder, or run `heddle doctor --repair` to continue with empty tables',
  )
}
