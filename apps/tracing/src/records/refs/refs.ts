import type { Platform } from '../../platform.ts'
import type { ObjectValuesStore } from '../objects/values/object-values-store.ts'
import type { ObjectsStore } from '../objects/objects-store.ts'
import type { TableRowsStore } from '../tables/table-rows-store.ts'
import type { TablesStore } from '../tables/tables-store.ts'
import { createDeletedVersions } from './deleted-versions.ts'
import { createFindTables } from './find-tables.ts'
import { refsHandlers } from './refs-handlers.ts'
import { createResolveRefs } from './resolve-refs.ts'

interface RefsOptions {
  objects: ObjectsStore
  values: ObjectValuesStore
  tables: TablesStore
  rows: TableRowsStore
}

/** Resolution of references to all kinds of records. */
export function createRefs({ refProjects }: Platform, { objects, values, tables, rows }: RefsOptions) {
  const resolveRefs = createResolveRefs({ objects, values, tables, rows })
  return {
    handlers: refsHandlers({ resolveRefs, refProjects }),
    resolveRefs,
    findTables: createFindTables(resolveRefs),
    deletedVersions: createDeletedVersions(objects),
  }
}
