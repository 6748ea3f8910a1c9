import { formatTimestamp, type OutputOf, type tracing } from '@heddle/core-api'
import { type Analytical, type DiskSpace, invariantFailures, type Micros } from '@heddle/datastore'
import type { Jobs } from '@heddle/jobs'
import type { DeletionsStore } from '../../deletions/deletions-store.ts'
import type { Admission, RequestStats } from '@heddle/service-kit'
import type { CacheStats } from '../../cache-stats.ts'
import type { ServiceConfiguration } from './service-configuration.ts'
import type { ServiceStorage } from './service-storage.ts'

export type ServiceStats = OutputOf<(typeof tracing)['service']['stats']>

/** Facts about the server outside this service. */
export interface ServerFacts {
  store: NonNullable<ServiceStats['store']>
  /** Null where all stores are on other machines. */
  readDisk(): Promise<DiskSpace | null>
  /** Content of the data folder, and time of its last backup. Absent: unknown. */
  readStorage?: () => Promise<ServiceStorage>
  /** Where it may send requests beyond the public internet. Absent: it is not known. */
  outgoing?: NonNullable<ServiceConfiguration['outgoing']>
  /** File of the library that multiplies matrices for models on this machine. Absent: none. */
  trainingLibrary?: string
}

export interface ServiceStatsDeps {
  version: string
  clock: () => Micros
  server: ServerFacts | undefined
  analytical: Analytical
  admission: Admission
  requests: RequestStats
  rejectedSpans: () => number
  jobs: Jobs
  deletions: Pick<DeletionsStore, 'progress'>
  cacheStats: () => CacheStats[]
}

/** Reads the state of this server. Counts begin with the call of this function. */
export function createServiceStats(deps: ServiceStatsDeps): () => Promise<ServiceStats> {
  const { version, clock, server, analytical, deletions, cacheStats } = deps
  const started_at = formatTimestamp(clock())
  return async () => {
    const [disk, engine, jobs, deleting] = await Promise.all([
      server?.readDisk(),
      analytical.health(),
      readJobs(deps.jobs, clock()),
      deletions.progress(),
    ])
    return {
      version,
      started_at,
      memory_bytes: process.memoryUsage.rss(),
      store: server?.store ?? null,
      disk: disk ? { free_bytes: disk.free, reserve_bytes: Math.round(disk.reserve) } : null,
      engine: {
        ready: engine.ready,
        version: engine.version,
        restarts: engine.restarts,
        inserted_rows: { ...engine.insertedRows },
        waiting_bytes: engine.waitingBytes,
        oldest_waiting_ms: Math.round(engine.oldestWaitingMs),
        active_parts: engine.activeParts,
        detached_parts: engine.detachedParts,
      },
      requests: readRequests(deps),
      rejected_spans: deps.rejectedSpans(),
      invariant_failures: invariantFailures(),
      jobs,
      deletions: deleting,
      caches: cacheStats(),
    }
  }
}

function readRequests({ requests, admission }: Pick<ServiceStatsDeps, 'requests' | 'admission'>): ServiceStats['requests'] {
  const { byStatus, cut, slow } = requests.read()
  const now = ({ running, waiting }: { running: number; waiting: number }) => ({ running, waiting })
  return {
    by_status: { ...byStatus },
    cut,
    slow: slow.map(({ operation, status, ms, waited, endedAtMs }) => ({
      operation,
      status,
      ms,
      waited_ms: waited,
      ended_at: formatTimestamp(endedAtMs * 1_000),
    })),
    writes: now(admission.writes),
    reads: now(admission.reads),
    statements: now(admission.statements),
  }
}

async function readJobs(jobs: Jobs, now: Micros): Promise<ServiceStats['jobs']> {
  const { waiting, running, finished, oldestWaitingSince, started, succeeded, failed, cancelled, retried } = await jobs.stats()
  // Another server, whose clock is ahead, may have enqueued it.
  const oldest_wait_ms = oldestWaitingSince === null ? null : Math.max(0, Math.round((now - oldestWaitingSince) / 1000))
  return { queued: waiting, running, finished, oldest_wait_ms, started, succeeded, failed, cancelled, retried }
}
