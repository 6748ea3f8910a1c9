/** Milliseconds of a worker. */
export interface WorkerTimes {
  /** A holder without a sign of life for so long loses its lease. Default 30,000. */
  leaseMs: number
  /** Between two signs of life. */
  beatMs: number
  /** Between two looks at the leases of others. */
  lookMs: number
  /** What a handler has to end after its abort; then its job goes on without it. Default 10,000. */
  abortMs: number
  /** Of one attempt. Default an hour. */
  timeLimitMs: number
  /** Between two looks for work that another server enqueued, or that is due. Default 1,000. */
  pollMs: number
}

export type WorkerTimeOptions = Partial<Pick<WorkerTimes, 'leaseMs' | 'abortMs' | 'timeLimitMs' | 'pollMs'>>

/** A lease whose beat was the same at so many looks after the first has lapsed. */
export const looksOfLease = 4
const beatsOfLease = 6

export function workerTimes({
  leaseMs = 30_000,
  abortMs = 10_000,
  timeLimitMs = 3_600_000,
  pollMs = 1_000,
}: WorkerTimeOptions): WorkerTimes {
  return { leaseMs, beatMs: leaseMs / beatsOfLease, lookMs: leaseMs / looksOfLease, abortMs, timeLimitMs, pollMs }
}
