import { tableDefinition } from '../table-definition.ts'
import { deletedCallsTable } from '../tables/deleted-calls.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Calls of large deletions are listed in their own table, so that they are hidden together. */
export const deletedCalls: AnalyticalMigration = {
  name: '0014-deleted-calls',
  statements: (kind) => tableDefinition(kind, deletedCallsTable),
}
