import { tableDefinition } from '../table-definition.ts'
import { tracesTable } from '../tables/traces.ts'
import { usageTable } from '../tables/usage.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Traces and the usage that counts get their own tables, derived from calls. */
export const tracesAndUsage: AnalyticalMigration = {
  name: '0013-traces-and-usage',
  statements: (kind) => [tracesTable, usageTable].flatMap((table) => tableDefinition(kind, table)),
}
