import { derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** The usage of calls has a column of its own, so that figures need not read summaries. */
export const usageOfCalls: AnalyticalMigration = {
  name: '0005-usage-of-calls',
  statements: (kind) => derivedColumns(kind, callsTable),
  inBackground: (kind) => filledColumns(kind, callsTable),
}
