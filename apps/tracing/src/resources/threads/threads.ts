import type { Platform } from '../../platform.ts'
import { threadsHandlers } from './threads-handlers.ts'
import { sqlThreadsStore } from './threads-store.sql.ts'

/** Conversations across traces, as a view over calls. */
export const createThreads = ({ analytical, clock }: Platform) => ({
  handlers: threadsHandlers({ store: sqlThreadsStore(analytical, clock) }),
})
