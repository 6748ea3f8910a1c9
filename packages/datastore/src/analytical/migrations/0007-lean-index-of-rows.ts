import { columnCodec } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { objectValuesTable } from '../tables/object-values.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * Compresses the index of calls and values like their texts, in parts written from now on. The index of existing rows is unchanged:
 * it lacks the raw span, so queries read the spans of these rows.
 */
export const leanIndexOfRows: AnalyticalMigration = {
  name: '0007-lean-index-of-rows',
  statements: (kind) => [callsTable, objectValuesTable].map((table) => columnCodec(kind, table, 'idx')),
}
