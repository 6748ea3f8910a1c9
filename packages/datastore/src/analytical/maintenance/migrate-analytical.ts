import type { KeyedLock } from '../../locks/keyed-lock.ts'
import { newerData } from '../../newer-data.ts'
import type { Database } from '../../relational/database.ts'
import type { Analytical } from '../analytical.ts'
import { StoreError } from '../../work/store-error.ts'
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
import { deletedCalls } from '../migrations/0014-deleted-calls.ts'
import { tracesThatChange } from '../migrations/0015-traces-that-change.ts'
import { reportedCosts } from '../migrations/0016-reported-costs.ts'
import { responsesOfCalls } from '../migrations/0017-responses-of-calls.ts'
import { tiersOfPrices } from '../migrations/0018-tiers-of-prices.ts'
import { cachedAudioAndImages } from '../migrations/0019-cached-audio-and-images.ts'
import { nestedNamesOfKinds } from '../migrations/0020-nested-names-of-kinds.ts'
import { shorterServiceTier } from '../migrations/0021-shorter-service-tier.ts'
import { sharedPartsOfSpans } from '../migrations/0022-shared-parts-of-spans.ts'
import { sharedUsageOfSpans } from '../migrations/0023-shared-usage-of-spans.ts'
import { tierOfNamedRows } from '../migrations/0024-tier-of-named-rows.ts'
import type { AnalyticalMigration } from '../migrations/analytical-migration.ts'
import { ownSql, sql } from '../sql.ts'
import { databaseDefinition, type StoreKind, tableDefinition } from '../table-definition.ts'
import { allTables, derivedTables } from '../tables/all-tables.ts'
import { serverWork } from '../../work/work-scope.ts'

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
  deletedCalls,
  tracesThatChange,
  reportedCosts,
  responsesOfCalls,
  tiersOfPrices,
  cachedAudioAndImages,
  nestedNamesOfKinds,
  shorterServiceTier,
  sharedPartsOfSpans,
  sharedUsageOfSpans,
  tierOfNamedRows,
]

/** The steps that create derived tables, or columns that they are derived from. After the last of them, everything is derived again. */
export const derivedTableSteps: readonly string[] = [
  tracesAndUsage.name,
  deletedCalls.name,
  tracesThatChange.name,
  reportedCosts.name,
  responsesOfCalls.name,
  tiersOfPrices.name,
  cachedAudioAndImages.name,
  nestedNamesOfKinds.name,
]

export interface MigrateAnalyticalOptions {
  analytical: Analytical
  /** Holds the list of applied migrations. */
  database: Database
  locks: KeyedLock
  kind: StoreKind
  /** Microseconds since 1970. */
  now: () => number
  /** True if an operator accepts the loss of all tables: they are created again, empty. */
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
    const hasTables = await hasCalls(analytical)
    if (known.size > 0 && !hasTables) {
      if (!recreates) throw missingTables()
      await database.deleteFrom('analytical_migrations').execute()
      known.clear()
    }
    // Definitions of tables are always those of this version, so that nothing is left to change in a new store: a change takes the engine as long as a table.
    const isNew = known.size === 0 && !hasTables
    if (isNew) await createTables(analytical, kind)
    for (const migration of analyticalSteps) {
      if (known.has(migration.name)) continue
      if (!isNew) await applyMigration(analytical, kind, migration)
      await afterMigration?.(migration.name)
      await database.insertInto('analytical_migrations').values({ name: migration.name, applied_at: now() }).execute()
    }
  })
}

async function createTables(analytical: Analytical, kind: StoreKind): Promise<void> {
  const statements = [databaseDefinition(kind), ...[...allTables, ...derivedTables].flatMap((table) => tableDefinition(kind, table))]
  for (const statement of statements) await analytical.execute(ownSql(statement))
}

async function applyMigration(analytical: Analytical, kind: StoreKind, migration: AnalyticalMigration): Promise<void> {
  for (const statement of migration.statements(kind)) await analytical.execute(ownSql(statement))
  for (const statement of migration.inBackground?.(kind) ?? []) await analytical.execute(ownSql(statement), { inBackground: true })
}

/** The first migration makes this table, and none removes it. */
async function hasCalls(analytical: Pick<Analytical, 'rows'>): Promise<boolean> {
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
