import { columnCodec } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import { objectValuesTable } from '../tables/object-values.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * The index of calls and of values is compressed as their texts are, in parts that are written from now on. The index of rows that are there stays as it is:
 * it does not hold the raw span, so questions read these rows' spans themselves.
 */
export const leanIndexOfRows: AnalyticalMigration = {
  name: '0007-lean-index-of-rows',
  statements: (kind) => [callsTable, objectValuesTable].map((table) => columnCodec(kind, table, 'idx')),
}
