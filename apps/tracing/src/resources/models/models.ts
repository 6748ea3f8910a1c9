import { collectionHandlers, type CollectionDeps } from '../../object-collection/collection-handlers.ts'
import type { SourceFiles } from '../../object-collection/source-files.ts'
import { modelsCollection } from './models-collection.ts'

/** Models, as a view over objects. */
export const createModels = (deps: CollectionDeps, { sources }: { sources: SourceFiles }) => ({
  handlers: collectionHandlers(deps, modelsCollection({ sources })),
})
