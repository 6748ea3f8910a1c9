import type { Platform } from '../../platform.ts'
import type { CallsOfQueues } from '../annotation-queues/items/calls-of-queues.ts'
import type { PricesFor } from '../costs/prices.ts'
import type { FeedbackStore } from '../feedback/feedback-store.ts'
import type { Retention } from './retention/retention.ts'
import type { DeletedVersions } from '../refs/deleted-versions.ts'
import type { FindTables } from '../refs/find-tables.ts'
import type { ResolveRefs } from '../refs/resolve-refs.ts'
import { type Micros, repeatSweep } from '@heddle/datastore'
import { deletionJobKinds } from '../../deletions/deletion-job-kinds.ts'
import { cachedPages } from './cache/cached-pages.ts'
import { type CallsDeps, callsHandlers } from './calls-handlers.ts'
import { createCallsCache, createSharedStoreCallsCache } from './cache/calls-cache.ts'
import { sqlCallsCacheStore } from './cache/calls-cache-store.sql.ts'
import { sqlCallsStatsStore } from './stats/calls-stats-store.sql.ts'
import type { CallsStore } from './calls-store.ts'
import { sqlCallsStore } from './calls-store.sql.ts'
import { withoutHidden } from './read/without-hidden.ts'
import { createSelectionPreparer } from './read/prepare-selection.sql.ts'
import { createCallsWriter } from './write/calls-writer.ts'
import { removeAbandonedLists } from './write/abandoned-lists-store.sql.ts'
import { createDeleteCalls } from './write/delete-calls.ts'
import { settleExpired } from './settle/settle-expired-store.sql.ts'
import { createRemoveCalls, createRemoveDeletedCalls } from './write/remove-calls.ts'
import { sqlCallRemovalStore } from './write/call-removal-store.sql.ts'
import type { EvaluationEnds } from './write/ended-evaluations.ts'
import { createHybridClock } from './write/hybrid-clock.ts'

/** Calls that a deletion removes at a time: writers of these calls wait that long. */
const callsRemovedAtOnce = 20_000
/** How late the numbers of a trace follow when some of its calls have expired. */
const expirySweepMs = 60_000

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
  /** Calls that a large deletion removes at a time. Default 20,000. */
  removedAtOnce: number | undefined
}

/** Calls: their store with its caches, the one way in which they are written, and their operations. */
export function createCalls(platform: Platform, options: CallsOptions) {
  const { analytical, locks, clock, refProjects, deletions, visibility, newId, log } = platform
  const { mask, prices, feedback, retention, resolveRefs, findTables, deletedVersions, callsOfQueues, evaluationEnds } = options
  const cache = cacheFor(platform)
  const preparer = createSelectionPreparer({ analytical, cache, visibility, deletedVersions, findTables, callsOfQueues })
  const stored = sqlCallsStore({ analytical, cache, clock, visibility, preparer })
  const store: CallsStore = withoutHidden(cachedPages(stored, { cache: cache.pages, openCalls: cache.openCalls, clock }), visibility)
  const writer = createCallsWriter({
    store,
    locks,
    clock: createHybridClock(clock),
    openCalls: cache.openCalls,
    retention,
    evaluationEnds,
  })
  const statsStore = sqlCallsStatsStore({ analytical, preparer, visibility })
  const removal = sqlCallRemovalStore(analytical, visibility)
  const deleteCalls = createDeleteCalls({ store, removal, writer, deletions, clock, newId })
  const removing = { removal, writer, removedAtOnce: options.removedAtOnce ?? callsRemovedAtOnce }
  const removeCalls = createRemoveCalls({ ...removing, deletions, clock })
  const handlers = callsHandlers({
    store,
    statsStore,
    writer,
    deleteCalls,
    prices,
    mask,
    resolveRefs,
    feedback,
    refProjects,
    clock,
  })
  const expirySweep = repeatSweep(() => settleExpired(analytical), {
    everyMs: expirySweepMs,
    onError: (error) => log?.error({ err: error }, 'failed to settle traces of which calls have expired; will retry in a minute'),
  })
  const jobKinds = { [deletionJobKinds.calls]: removeCalls }
  const removeAbandoned = (before: Micros, signal: AbortSignal) => removeAbandonedLists({ analytical, deletions, removal }, before, signal)
  return {
    handlers,
    removeAbandonedLists: removeAbandoned,
    store,
    statsStore,
    writer,
    deleteCalls,
    removeDeletedCalls: createRemoveDeletedCalls(removing),
    removal,
    preparer,
    jobKinds,
    expirySweep,
    cache,
  }
}

function cacheFor({ analytical, sharesStore, log }: Platform) {
  if (sharesStore) return createSharedStoreCallsCache()
  return createCallsCache({
    store: sqlCallsCacheStore(analytical),
    onError: (error) => log?.error({ err: error }, 'failed to read the ids of stored calls; each write looks its call up'),
  })
}
