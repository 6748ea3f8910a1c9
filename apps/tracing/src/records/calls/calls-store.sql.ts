import type { Micros } from '@heddle/datastore'
import type { ProjectVisibility } from '../../deletions/visibility.ts'
import type { CallsCache } from './cache/calls-cache.ts'
import type { CallsStore } from './calls-store.ts'
import { sqlCallPagesStore } from './read/call-pages-store.sql.ts'
import { sqlCallSelectionStore, type CallSelectionDeps } from './read/call-selection-store.sql.ts'
import { sqlTraceNodesStore } from './read/trace-nodes-store.sql.ts'
import { sqlCallTracesStore } from './stats/call-traces-store.sql.ts'
import { sqlCallVersionsStore } from './write/call-versions-store.sql.ts'

interface CallsStoreDeps extends CallSelectionDeps {
  cache: Pick<CallsCache, 'unindexedPaths' | 'pageRanges'>
  clock: () => Micros
  visibility: ProjectVisibility
}

/** Calls in the analytical store: each part answers for one subject. */
export function sqlCallsStore(deps: CallsStoreDeps): CallsStore {
  const { analytical, cache, clock, visibility } = deps
  return {
    ...sqlCallVersionsStore(analytical, cache.unindexedPaths),
    ...sqlCallSelectionStore(deps),
    ...sqlCallPagesStore(analytical, clock),
    ...sqlCallTracesStore(analytical, visibility),
    ...sqlTraceNodesStore(analytical, deps.preparer, clock),
  }
}
