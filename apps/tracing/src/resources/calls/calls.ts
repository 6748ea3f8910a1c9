import type { Platform } from '../../platform.ts'
import type { CallsOfQueues } from '../annotation-queues/items/calls-of-queues.ts'
import type { PricesFor } from '../costs/prices.ts'
import type { FeedbackStore } from '../feedback/feedback-store.ts'
import type { Retention } from '../projects/retention.ts'
import type { DeletedVersions } from '../refs/deleted-versions.ts'
import type { FindTables } from '../refs/find-tables.ts'
import type { ResolveRefs } from '../refs/resolve-refs.ts'
import { cachedPages } from './cache/cached-pages.ts'
import { type CallsDeps, callsHandlers } from './calls-handlers.ts'
import { createCallsCache, createSharedStoreCallsCache } from './cache/calls-cache.ts'
import { sqlCallsCacheStore } from './cache/calls-cache-store.sql.ts'
import { sqlCallsStatsStore } from './stats/calls-stats-store.sql.ts'
import type { CallsStore } from './calls-store.ts'
import { sqlCallsStore } from './calls-store.sql.ts'
import { createSelectionPreparer } from './read/prepare-selection.sql.ts'
import { createCallsWriter } from './write/calls-writer.ts'
import { createCallsDeletions } from './write/delete-calls.ts'
import type { EvaluationEnds } from './write/ended-evaluations.ts'
import { createHybridClock } from './write/hybrid-clock.ts'

/** Calls that one deletion deletes at once. Where servers share a store each call is a lock of the database, which has room for few. */
const deletedTogether = { alone: 200_000, shared: 2_000 }

interface CallsOptions {
  mask: CallsDeps['mask']
  prices: PricesFor
  feedback: FeedbackStore
  retention: Retention
  resolveRefs: ResolveRefs
  findTables: FindTables
  deletedVersions: DeletedVersions
  callsOfQueues: CallsOfQueues
  evaluationEnds: EvaluationEnds
  /** Default: those of `deletedTogether`. */
  callsDeletedAtOnce: number | undefined
}

/** Calls: their store with its caches, the one way in which they are written, and their operations. */
export function createCalls(platform: Platform, options: CallsOptions) {
  const { analytical, locks, clock, refProjects, jobs, sharesStore } = platform
  const { mask, prices, feedback, retention, resolveRefs, findTables, deletedVersions, callsOfQueues, evaluationEnds } = options
  const cache = cacheFor(platform)
  const preparer = createSelectionPreparer({ analytical, cache, clock, deletedVersions, findTables, callsOfQueues })
  const stored = sqlCallsStore({ analytical, cache, clock, preparer })
  const store: CallsStore = cachedPages(stored, { cache: cache.pages, openCalls: cache.openCalls, clock })
  const writer = createCallsWriter({
    store,
    locks,
    clock: createHybridClock(clock),
    openCalls: cache.openCalls,
    retention,
    evaluationEnds,
  })
  const statsStore = sqlCallsStatsStore(analytical, preparer)
  const deletedAtOnce = options.callsDeletedAtOnce ?? (sharesStore ? deletedTogether.shared : deletedTogether.alone)
  const { deleteCalls, jobKinds } = createCallsDeletions({ store, writer, jobs, clock, deletedAtOnce })
  const handlers = callsHandlers({ store, statsStore, writer, deleteCalls, prices, mask, resolveRefs, feedback, refProjects, clock })
  return { handlers, store, writer, deleteCalls, jobKinds, cacheStats: cache.stats }
}

function cacheFor({ analytical, sharesStore, log }: Platform) {
  if (sharesStore) return createSharedStoreCallsCache()
  return createCallsCache({
    store: sqlCallsCacheStore(analytical),
    onError: (error) => log?.error({ err: error }, 'failed to read the ids of stored calls; each write looks its call up'),
  })
}
