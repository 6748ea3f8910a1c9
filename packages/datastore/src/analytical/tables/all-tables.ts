import type { Table } from '../table.ts'
import { callsTable } from './calls.ts'
import { deletedCallsTable } from './deleted-calls.ts'
import { feedbackTable } from './feedback.ts'
import { objectValuesTable } from './object-values.ts'
import { tableRowsTable } from './table-rows.ts'
import { tablesTable } from './tables.ts'

/** Every table of the analytical store. */
export const allTables: readonly Table[] = [callsTable, deletedCallsTable, feedbackTable, objectValuesTable, tableRowsTable, tablesTable]
