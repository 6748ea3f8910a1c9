import type { RelationalStore } from '@heddle/datastore'
import { sqlClaimStore } from './claim-store.sql.ts'
import { jobLimits } from '../job-limits.ts'
import type { JobsStore } from './jobs-store.ts'
import { sqlLeasesStore } from './leases-store.sql.ts'
import { sqlProjectJobsStore } from './project-jobs-store.sql.ts'
import { sqlQueueUpkeepStore } from './queue-upkeep-store.sql.ts'

export interface JobsStoreOptions {
  database: RelationalStore
  /** Name of the queue: jobs and workers of one service share it. */
  queue: string
  /** Jobs of a project that may wait. Default 10,000. */
  maxWaiting?: number
}

export function sqlJobsStore({ database, queue, maxWaiting = jobLimits.waitingPerProject }: JobsStoreOptions): JobsStore {
  return {
    queue,
    ...sqlProjectJobsStore({ database, queue, maxWaiting }),
    ...sqlClaimStore({ database, queue }),
    ...sqlLeasesStore({ database, queue }),
    ...sqlQueueUpkeepStore({ database, queue }),
  }
}
