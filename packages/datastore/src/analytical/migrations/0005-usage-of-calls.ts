import { derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** The usage of calls gets its own column, so that statistics need not read summaries. */
export const usageOfCalls: AnalyticalMigration = {
  name: '0005-usage-of-calls',
  statements: (kind) => derivedColumns(kind, callsTable),
  inBackground: (kind) => filledColumns(kind, callsTable),
}
