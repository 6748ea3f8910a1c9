import { addedColumns } from '../table-definition.ts'
import { tracesTable } from '../tables/traces.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Traces record when the first of their calls expires, and whether calls were written that are not counted yet. */
export const tracesThatChange: AnalyticalMigration = {
  name: '0015-traces-that-change',
  statements: (kind) => addedColumns(kind, tracesTable),
}
