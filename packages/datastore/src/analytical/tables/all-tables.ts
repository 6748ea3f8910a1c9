import type { Table } from '../table.ts'
import { callsTable } from './calls.ts'
import { deletedCallsTable } from './deleted-calls.ts'
import { feedbackTable } from './feedback.ts'
import { objectValuesTable } from './object-values.ts'
import { tableRowsTable } from './table-rows.ts'
import { tablesTable } from './tables.ts'
import { tracesTable } from './traces.ts'
import { usageTable } from './usage.ts'

/** Tables whose rows are derived from calls. */
export const derivedTables: readonly Table[] = [tracesTable, usageTable]

/** Every other table of the analytical store. */
export const allTables: readonly Table[] = [callsTable, deletedCallsTable, feedbackTable, objectValuesTable, tableRowsTable, tablesTable]
