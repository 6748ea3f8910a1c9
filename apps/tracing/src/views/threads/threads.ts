import type { Platform } from '../../platform.ts'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import type { CallsStatsStore } from '../../records/calls/stats/calls-stats-store.ts'
import type { PricesFor } from '../../records/costs/prices.ts'
import { threadsHandlers } from './threads-handlers.ts'
import { sqlThreadsStore } from './threads-store.sql.ts'
import { createReadTurns } from './turns/read-turns.ts'
import { sqlTurnsStore } from './turns/turns-store.sql.ts'

interface ThreadsOptions {
  calls: CallsStore
  statsStore: CallsStatsStore
  prices: PricesFor
}

/** Conversations across traces, as a view over calls. */
export function createThreads({ analytical, visibility, refProjects, clock }: Platform, options: ThreadsOptions) {
  const store = sqlThreadsStore(analytical, visibility)
  const readTurns = createReadTurns({ ...options, turns: sqlTurnsStore(analytical, visibility), refProjects, clock })
  return { handlers: threadsHandlers({ store, readTurns }) }
}
