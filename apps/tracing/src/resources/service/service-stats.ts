import { forbidden } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { type Caller, isOperator } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { RawRoute } from '@heddle/service-kit'
import type { CacheStats } from '../../cache-stats.ts'

/** How much is in the queue of jobs, of all projects, and what the workers of this server did with it. */
export interface JobQueueStats {
  /** Jobs that wait for a worker, for a retry, or behind another of their serial key. */
  queued: number
  running: number
  /** Jobs that ended and are still stored. */
  finished: number
  /** Since the job that has waited longest was enqueued; null when none waits. */
  oldest_wait_ms: number | null
  /** Since this server started, on this server: attempts that began, and what became of jobs. */
  started: number
  succeeded: number
  failed: number
  cancelled: number
  retried: number
}

/** What an operator sees of a running server. */
export interface ServiceStats {
  caches: readonly CacheStats[]
  jobs: JobQueueStats
}

/** Reads how full the queue of jobs is. */
export async function readJobQueueStats(jobs: Jobs, now: Micros): Promise<JobQueueStats> {
  const { waiting, running, finished, oldestWaitingSince, started, succeeded, failed, cancelled, retried } = await jobs.stats()
  // Another server, whose clock is ahead, may have enqueued it.
  const oldest_wait_ms = oldestWaitingSince === null ? null : Math.max(0, Math.round((now - oldestWaitingSince) / 1000))
  return { queued: waiting, running, finished, oldest_wait_ms, started, succeeded, failed, cancelled, retried }
}

/** `GET /service/stats`: for operators alone, since it tells how much all projects hold together. */
export function serviceStatsRoute(read: () => Promise<ServiceStats>): RawRoute<Caller> {
  return {
    name: 'service.stats',
    method: 'GET',
    path: '/service/stats',
    async handle(_request: Request, caller: Caller) {
      if (!isOperator(caller.access)) throw forbidden('stats require an admin key for all projects')
      return Response.json(await read())
    },
  }
}
