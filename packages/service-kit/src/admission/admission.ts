import type { Operation } from '@heddle/core-api'
import type { Flow } from './fair-queue.ts'
import { createEventLoopTicks, type EventLoopTicks } from './event-loop-ticks.ts'
import { createPermitQueue, type PermitLimits, type PermitQueue } from './permit-queue.ts'
import { timeSlices, type TimeSlices } from './time-slices.ts'
import { createRequestQueue, type Permit, type QueueStats, type RequestQueue, type RequestQueueLimits } from './request-queue.ts'

/**
 * Bounds of concurrent work: separate queues for writes, reads, and requests without a key, so that none waits for another, and the statements of
 * all.
 */
export interface AdmissionLimits {
  writes: RequestQueueLimits
  reads: RequestQueueLimits
  /** Requests without a key, such as those of public links: a small share, which they hold until their response has ended. */
  links: RequestQueueLimits
  statements: PermitLimits
}

const mebibyte = 2 ** 20

export const defaultAdmissionLimits: AdmissionLimits = {
  // Enough for all that wait for the disk to share one sync, and less than is written in half a second.
  writes: {
    tickBytes: 64 * 1024,
    yieldRatio: 1,
    maxRunning: 128,
    maxRunningBytes: 4 * mebibyte,
    largeBytes: mebibyte,
    maxLarge: 2,
    maxOccupancyMs: 2_000,
    queueTimeoutMs: 2_000,
    shedAfterMs: 1_000,
    maxWaiting: 4_096,
  },
  // A read counts while it occupies the event loop, and no longer once it waits for the engine, where statements queue for permits.
  reads: {
    tickBytes: 64 * 1024,
    yieldRatio: 0,
    maxRunning: 16,
    maxRunningBytes: 4 * mebibyte,
    largeBytes: mebibyte,
    maxLarge: 2,
    maxOccupancyMs: 250,
    queueTimeoutMs: 10_000,
    shedAfterMs: 5_000,
    maxWaiting: 1_024,
  },
  links: {
    tickBytes: 16 * 1024,
    yieldRatio: 0,
    maxRunning: 3,
    maxRunningBytes: mebibyte,
    largeBytes: mebibyte,
    maxLarge: 1,
    maxOccupancyMs: 10_000,
    queueTimeoutMs: 10_000,
    shedAfterMs: 5_000,
    maxWaiting: 64,
  },
  // For the embedded engine, on the processors of this machine.
  statements: {
    running: 5,
    runningOfCaller: 4,
    runningOfProject: 3,
    queueTimeoutMs: 10_000,
    waiting: 256,
    waitingOfProject: 64,
    withoutKey: { running: 1, waiting: 32 },
  },
}

/** For a cluster, which has its own machines. */
export const clusterStatementLimits: PermitLimits = {
  ...defaultAdmissionLimits.statements,
  running: 32,
  runningOfCaller: 24,
  runningOfProject: 16,
  withoutKey: { running: 4, waiting: 32 },
}

/** Decides which requests run, which wait and which are refused. */
export interface Admission {
  readonly limits: AdmissionLimits
  /** @throws ApiError 429, before anything of the body is read. */
  admit(operation: Operation, flow: Flow): Permit
  readonly writes: QueueStats
  readonly reads: QueueStats
  readonly links: QueueStats
  /** For the analytical store: which statement runs when. */
  readonly statements: PermitQueue
  /** For work on one request that would take more than a tick of the event loop. */
  readonly timeSlices: TimeSlices
  /** Notified of new connections, so that the start of requests leaves ticks for accepting them. */
  readonly ticks: Pick<EventLoopTicks, 'noteConnection'>
}

export interface AdmissionOptions {
  limits?: Partial<AdmissionLimits>
  /** Milliseconds of a monotonic clock. Default: the process's own. */
  nowMs?: () => number
}

/** Granted immediately: for operations that must answer however busy the server is. */
export const unlimitedPermit: Permit = { acquire: async () => {}, addBytes() {}, release() {}, waitedMs: 0 }

/** Services of one process share one of these, as they share the machine. */
export function createAdmission({ limits, nowMs = () => performance.now() }: AdmissionOptions = {}): Admission {
  const ticks = createEventLoopTicks()
  const bounds = { ...defaultAdmissionLimits, ...limits }
  const writes = createRequestQueue({ name: 'writes', limits: bounds.writes, nowMs, ticks })
  const reads = createRequestQueue({ name: 'reads', limits: bounds.reads, nowMs, ticks })
  const links = createRequestQueue({ name: 'requests without a key', limits: bounds.links, nowMs, ticks })
  const statements = createPermitQueue({ limits: bounds.statements, nowMs })
  const queueOf = ({ effect, open }: Operation): RequestQueue => (open ? links : effect === 'read' ? reads : writes)
  return {
    limits: bounds,
    // Operations without key and body, such as the health check, must answer however busy the server is.
    admit: (operation, flow) => (operation.open && !operation.body ? unlimitedPermit : queueOf(operation).admit(flow)),
    writes,
    reads,
    links,
    statements,
    timeSlices,
    ticks,
  }
}
