/** Milliseconds of a worker. */
export interface WorkerTimes {
  /** A holder that sends no heartbeat for so long loses its lease. Default 30,000. */
  leaseMs: number
  /** Between two heartbeats. */
  heartbeatMs: number
  /** Between two checks of other workers' leases. */
  checkMs: number
  /** Time for a handler to end after its abort; then its job continues without it. Default 10,000. */
  graceMs: number
  /** Limit of one attempt. Default one hour. */
  timeLimitMs: number
  /** Between two checks for work that another server enqueued, or that is due. Default 1,000. */
  pollMs: number
  /** The same if no other server works on the queue and no job waits: jobs enqueued here are noticed immediately. At least `pollMs`. */
  idlePollMs: number
}

export type WorkerTimeOptions = Partial<Pick<WorkerTimes, 'leaseMs' | 'graceMs' | 'timeLimitMs' | 'pollMs'>>

/** Checks after the first at which the heartbeat of an expired lease was the same. */
export const checksPerLease = 4
const heartbeatsPerLease = 6
const longestIdlePollMs = 30_000

export function workerTimes({
  leaseMs = 30_000,
  graceMs = 10_000,
  timeLimitMs = 3_600_000,
  pollMs = 1_000,
}: WorkerTimeOptions): WorkerTimes {
  const idlePollMs = Math.max(pollMs, longestIdlePollMs)
  return { leaseMs, heartbeatMs: leaseMs / heartbeatsPerLease, checkMs: leaseMs / checksPerLease, graceMs, timeLimitMs, pollMs, idlePollMs }
}
