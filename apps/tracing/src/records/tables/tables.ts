import type { Platform } from '../../platform.ts'
import { createStoreTable } from './store-table.ts'
import { sqlTableRowsStore } from './table-rows-store.sql.ts'
import { tablesHandlers } from './tables-handlers.ts'
import { sqlTablesStore } from './tables-store.sql.ts'

/** Tables and their rows. */
export function createTables({ analytical, clock, refProjects }: Platform) {
  const tables = sqlTablesStore(analytical, clock)
  const rows = sqlTableRowsStore(analytical, clock)
  const storeTable = createStoreTable({ tables, rows })
  return { handlers: tablesHandlers({ tables, rows, storeTable, refProjects }), tables, rows, storeTable }
}
