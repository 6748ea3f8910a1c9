import { databaseDefinition, tableDefinition } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { objectValuesTable } from '../tables/object-values.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/** The database, the calls and the values of objects. */
export const callsAndObjectValues: AnalyticalMigration = {
  name: '0001-calls-and-object-values',
  statements: (kind) => [databaseDefinition(kind), ...[callsTable, objectValuesTable].flatMap((table) => tableDefinition(kind, table))],
}
