import { derivedColumns, filledColumns } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { usageColumn } from '../tables/usage-column.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

const withUsage = { name: callsTable.name, derived: { usage: usageColumn } }

/** The usage of calls gets its own column, so that statistics need not read summaries. */
export const usageOfCalls: AnalyticalMigration = {
  name: '0005-usage-of-calls',
  statements: (kind) => derivedColumns(kind, withUsage),
  inBackground: (kind) => filledColumns(kind, withUsage),
}
