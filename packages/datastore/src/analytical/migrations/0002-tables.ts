import { tableDefinition } from '../table-definition.ts'
import { tableRowsTable } from '../tables/table-rows.ts'
import { tablesTable } from '../tables/tables.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** Tables and their rows. */
export const tables: AnalyticalMigration = {
  name: '0002-tables',
  statements: (kind) => [tablesTable, tableRowsTable].flatMap((table) => tableDefinition(kind, table)),
}
