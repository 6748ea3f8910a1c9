import { addedColumns } from '../table-definition.ts'
import { tracesTable } from '../tables/traces.ts'
import { usageTable } from '../tables/usage.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Traces and usage keep the costs that calls report. Existing rows are computed again. */
export const reportedCosts: AnalyticalMigration = {
  name: '0016-reported-costs',
  statements: (kind) => [tracesTable, usageTable].flatMap((table) => addedColumns(kind, table)),
}
