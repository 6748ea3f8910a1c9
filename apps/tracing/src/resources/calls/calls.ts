import type { Platform } from '../../platform.ts'
import type { CallsOfQueues } from '../annotation-queues/calls-of-queues.ts'
import type { PricesFor } from '../costs/prices.ts'
import type { FeedbackStore } from '../feedback/feedback-store.ts'
import type { Retention } from '../projects/retention.ts'
import type { DeletedVersions } from '../refs/deleted-versions.ts'
import type { FindTables } from '../refs/find-tables.ts'
import type { ResolveRefs } from '../refs/resolve-refs.ts'
import { cachedPages } from './cache/cached-pages.ts'
import { type CallsDeps, callsHandlers } from './calls-handlers.ts'
import { createOpenCallsCache, noOpenCallsCache } from './cache/open-calls-cache.ts'
import { sqlCallsStatsStore } from './stats/calls-stats-store.sql.ts'
import { sqlCallsStore } from './calls-store.sql.ts'
import { createCallsWriter } from './write/calls-writer.ts'
import { createHybridClock } from './write/hybrid-clock.ts'

const pagesCacheBytes = 64 * 1024 * 1024
const openCallsBytes = 64 * 1024 * 1024

interface CallsOn {
  mask: CallsDeps['mask']
  prices: PricesFor
  feedback: FeedbackStore
  retention: Retention
  resolveRefs: ResolveRefs
  findTables: FindTables
  deletedVersions: DeletedVersions
  callsOfQueues: CallsOfQueues
}

/** Calls: their store with its caches, the one way in which they are written, and their operations. */
export function createCalls({ analytical, sharesStore, locks, clock, refProjects, log }: Platform, on: CallsOn) {
  const { mask, prices, feedback, retention, resolveRefs, findTables, deletedVersions, callsOfQueues } = on
  const stored = sqlCallsStore({ analytical, sharesStore, clock, deletedVersions, findTables, callsOfQueues })
  const store = cachedPages(stored, { maxBytes: pagesCacheBytes, clock })
  const openCalls = sharesStore
    ? noOpenCallsCache
    : createOpenCallsCache({
        stored: store.storedIds(),
        maxBytes: openCallsBytes,
        onError: (error) => log?.error({ err: error }, 'failed to read the ids of stored calls; each write looks its call up'),
      })
  const writer = createCallsWriter({ store, locks, clock: createHybridClock(clock), openCalls, retention })
  const statsStore = sqlCallsStatsStore(analytical)
  const handlers = callsHandlers({ store, statsStore, writer, prices, mask, resolveRefs, feedback, refProjects, clock })
  return { handlers, store, writer }
}
