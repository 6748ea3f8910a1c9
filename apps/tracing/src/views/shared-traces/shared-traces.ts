import { createKeyedRate } from '@heddle/service-kit'
import { repeatSweep } from '@heddle/datastore'
import type { Platform } from '../../platform.ts'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import { createOpenLink } from './open-link.ts'
import { sharedTraceLimits } from './shared-trace-limits.ts'
import { sharedTracesHandlers } from './shared-traces-handlers.ts'
import { sqlSharedTracesStore } from './shared-traces-store.sql.ts'

interface SharedTracesOptions {
  calls: CallsStore
  /** False: the operator has switched public links off. */
  isEnabled: boolean
}

/** Public links to traces, and the sweep that removes expired ones. */
export function createSharedTraces(platform: Platform, options: SharedTracesOptions) {
  const { database, clock, log } = platform
  const store = sqlSharedTracesStore(database)
  const rate = createKeyedRate({ perMinute: sharedTraceLimits.requestsPerMinute })
  const openLink = createOpenLink({ ...platform, ...options, store, rate })
  return {
    handlers: sharedTracesHandlers({ ...platform, ...options, store, openLink }),
    startSweeper: () =>
      repeatSweep(() => store.deleteExpired(clock()), {
        onError: (error) => log?.error({ err: error }, 'failed to remove expired links to traces; will retry on next sweep'),
      }),
  }
}
