import { collectionHandlers, type CollectionDeps } from '../../object-collection/collection-handlers.ts'
import type { EnsureOps } from '../objects/publish/ensure-ops.ts'
import { evaluationsCollection } from './evaluations-collection.ts'

/** Definitions of evaluations, as a view over objects. */
export const createEvaluations = (deps: CollectionDeps, { ensureOps }: { ensureOps: EnsureOps }) => ({
  handlers: collectionHandlers(deps, evaluationsCollection({ ensureOps })),
})
