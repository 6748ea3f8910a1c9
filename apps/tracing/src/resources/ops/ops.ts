import { collectionHandlers, type CollectionDeps } from '../../object-collection/collection-handlers.ts'
import type { SourceFiles } from '../../object-collection/source-files.ts'
import { opsCollection } from './ops-collection.ts'

/** Ops, as a view over objects. */
export const createOps = (deps: CollectionDeps, { sources }: { sources: SourceFiles }) => ({
  handlers: collectionHandlers(deps, opsCollection({ sources })),
})
