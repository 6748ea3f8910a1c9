import type { Outcome } from './store/lease.ts'

/** Counters of this process's workers since it started. */
export interface JobStats {
  started: number
  succeeded: number
  failed: number
  cancelled: number
  /** Attempts that failed and were followed by another. */
  retried: number
  /** Attempts that ended because the server stopped. */
  released: number
  /** Attempts whose lease was lost. */
  lost: number
  /** Expired leases that this process ended for their holders. */
  expired: number
  /** Operations that the store failed. */
  faults: number
}

/** The counters of a process whose workers have not begun. */
export function newJobStats(): JobStats {
  return { started: 0, succeeded: 0, failed: 0, cancelled: 0, retried: 0, released: 0, lost: 0, expired: 0, faults: 0 }
}

/** The counter of an outcome; undefined is a lost lease. */
export function outcomeCounter(outcome: Outcome | undefined): keyof JobStats {
  if (outcome === undefined) return 'lost'
  if (outcome.state !== 'queued') return outcome.state
  return outcome.isRefunded ? 'released' : 'retried'
}
