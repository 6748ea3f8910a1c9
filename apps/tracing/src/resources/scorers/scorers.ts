import { collectionHandlers, type CollectionDeps } from '../../object-collection/collection-handlers.ts'
import type { SourceFiles } from '../../object-collection/source-files.ts'
import type { EnsureOps } from '../objects/publish/ensure-ops.ts'
import { scorersCollection } from './scorers-collection.ts'

/** Scorers, as a view over objects. */
export const createScorers = (deps: CollectionDeps, { sources, ensureOps }: { sources: SourceFiles; ensureOps: EnsureOps }) => ({
  handlers: collectionHandlers(deps, scorersCollection({ publisher: deps.publisher, sources, ensureOps })),
})
