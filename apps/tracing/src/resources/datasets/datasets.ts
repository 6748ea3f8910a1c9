import { collectionHandlers, type CollectionDeps } from '../../object-collection/collection-handlers.ts'
import type { StoreTable } from '../tables/store-table.ts'
import { datasetsCollection } from './datasets-collection.ts'

/** Datasets, as a view over objects and tables. */
export const createDatasets = (deps: CollectionDeps, tables: { storeTable: StoreTable }) => ({
  handlers: collectionHandlers(deps, datasetsCollection(tables)),
})
