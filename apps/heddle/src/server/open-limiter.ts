import { sqlProjectLimitsStore } from '@heddle/identity'
import { createProjectLimiter, type ProjectLimiter } from '@heddle/service-kit'
import type { Configuration } from '../settings/configuration.ts'
import type { ServerLog } from '../log/server-log.ts'
import type { Stores } from '../stores/stores.ts'

export interface LimiterParts {
  stores: Pick<Stores, 'database'>
  configuration: Configuration
  logger: ServerLog
}

/** The limits of projects, those of the operator among them. */
export function openLimiter({ stores, configuration, logger }: LimiterParts): ProjectLimiter {
  const { requestsPerMinute = null, keyRequestsPerMinute = null, ingestedBytesPerDay = null } = configuration
  return createProjectLimiter({
    store: sqlProjectLimitsStore(stores.database),
    serverLimits: {
      requests_per_minute: requestsPerMinute,
      requests_per_minute_per_key: keyRequestsPerMinute,
      ingested_bytes_per_day: ingestedBytesPerDay,
    },
    // Servers on one PostgreSQL share the limits of projects.
    sharesStore: configuration.databaseUrl !== undefined,
    onError: (error) => logger.warn({ err: error }, 'failed to store the bytes that projects were sent; will retry in a second'),
  })
}
