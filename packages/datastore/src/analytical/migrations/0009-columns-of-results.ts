import { addedColumns, addedIndex, filledIndex } from '../table-definition.ts'
import { callsTable } from '../tables/calls.ts'
import type { AnalyticalMigration } from './analytical-migration.ts'

/**
 * Calls get the columns from which evaluation results are computed in the engine, and an index of their parents. The service fills the columns of
 * existing predict-and-score calls when their results are first queried; calls below them lack the columns until they are written again.
 */
export const columnsOfResults: AnalyticalMigration = {
  name: '0009-columns-of-results',
  statements: (kind) => [...addedColumns(kind, callsTable), addedIndex(kind, callsTable, 'by_parent')],
  inBackground: (kind) => [filledIndex(kind, callsTable, 'by_parent')],
}
