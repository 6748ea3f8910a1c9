import type { Micros } from '@heddle/datastore'

/** The right to run a job. The token counts up with each lease of the job, and every write names it, so the holder of a lost lease writes nothing. */
export interface Lease {
  /** Number of the job. */
  number: number
  token: number
}

/** A job that a worker has just started. JSON is text. */
export interface ClaimedJob extends Lease {
  id: string
  projectId: string
  kind: string
  payload: string
  serialKey: string | null
  attempt: number
  maxAttempts: number
  savedState: string | null
  createdAt: Micros
}

/** A heartbeat of a holder. */
export interface LeaseHeartbeat extends Lease {
  heartbeat: number
}

/** A lease that is held. */
export interface HeldLease extends LeaseHeartbeat {
  owner: string | null
  attempt: number
  maxAttempts: number
}

/** What becomes of a job when its lease ends. */
export type Outcome =
  | { state: 'succeeded'; result: string }
  | { state: 'failed'; error: string }
  | { state: 'cancelled' }
  /** To be started again. `isRefunded`: the attempt does not count. */
  | { state: 'queued'; runAfter: Micros | null; error: string | null; isRefunded: boolean }
