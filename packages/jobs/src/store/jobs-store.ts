import type { Database, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { EnqueuedJob, Job, JobCount, JobFilter, JobPage, JobSummary, KeyedJobCounts } from '../job.ts'
import type { ClaimedJob, HeldLease, Lease, LeaseHeartbeat, Outcome } from './lease.ts'

/** A job as it is enqueued. JSON is text. */
export interface JobRow {
  id: string
  kind: string
  payload: string
  serialKey: string | null
  idempotencyKey: string | null
  /** Null without a key. */
  fingerprint: string | null
  isReleasedByFailure: boolean
  /** Null: as soon as possible. */
  runAfter: Micros | null
  maxAttempts: number
  createdAt: Micros
}

/** What users do with the jobs of a project. A call ends when the signal of the project's scope aborts, and has then written nothing. */
export interface ProjectJobsStore {
  /**
   * Enqueues all or none, in their order.
   * @throws ApiError 409 for an idempotency key with other content, 429 when more jobs of the project would wait than may
   */
  enqueue(project: ProjectScope, rows: readonly JobRow[]): Promise<EnqueuedJob[]>
  /** Ends a job that waits, and requests the end of one that runs. Undefined when there is no such job. */
  cancel(project: ProjectScope, id: string, at: Micros): Promise<JobSummary | undefined>
  find(project: ProjectScope, id: string): Promise<Job | undefined>
  /** @throws ApiError 404 when there is no job `after` */
  list(project: ProjectScope, filter: JobFilter, page: Required<Pick<JobPage, 'limit' | 'order'>> & JobPage): Promise<JobSummary[]>
  count(project: ProjectScope): Promise<JobCount[]>
  countByKey(project: ProjectScope, prefix: string): Promise<KeyedJobCounts>
  countWaiting(project: ProjectScope): Promise<number>
}

export interface Claim {
  owner: string
  kinds: readonly string[]
  /** Projects whose jobs are not wanted now. */
  except: readonly string[]
  at: Micros
}

/** What workers do with the jobs of a queue. Every method may be repeated after an error. */
export interface LeasesStore {
  /**
   * Starts the next job that is due: of the project with the fewest running jobs, among those of the one whose last start was longest ago, in
   * the order in which they were enqueued. Undefined when none is due.
   */
  claim(claim: Claim): Promise<ClaimedJob | undefined>
  /** Whether any job waits, due or not. */
  hasWaiting(): Promise<boolean>
  /** Notes that the holder is alive. Null when the lease is lost. */
  heartbeat(lease: Lease, progress: string | undefined): Promise<{ isCancelRequested: boolean } | null>
  /** False when the lease is lost. */
  saveState(lease: Lease, state: string): Promise<boolean>
  /** Runs `work` in a transaction that holds the lease. Null, and nothing is written, when the lease is lost. */
  commit<T>(lease: Lease, work: (transaction: Database) => Promise<T>): Promise<{ value: T } | null>
  /** Ends the lease. A job to be queued whose cancellation was requested is cancelled. False when the lease is lost; true also when it was settled before. */
  settle(lease: Lease, outcome: Outcome, at: Micros): Promise<boolean>
  /** Leases that are held, at most 10,000. */
  listHeld(): Promise<HeldLease[]>
  /** Ends a lease for its holder unless that sent a heartbeat since. False when it did. */
  expire(last: LeaseHeartbeat, outcome: Outcome, at: Micros): Promise<boolean>
}

export interface QueueTotals {
  waiting: number
  running: number
  finished: number
  /** Enqueueing of the job that has waited longest; null when none waits. */
  oldestWaitingSince: Micros | null
}

/** Operations of the server on a whole queue. */
export interface QueueUpkeepStore {
  totals(): Promise<QueueTotals>
  /** Removes at most 500 jobs that ended before `endedBefore`, or that a project has beyond `perProject` finished ones, oldest first. Returns how many. */
  sweep(bounds: { endedBefore: Micros; perProject: number }): Promise<number>
}

export interface JobsStore extends ProjectJobsStore, LeasesStore, QueueUpkeepStore {
  /** Name of the queue. Queues with other names see none of its jobs. */
  readonly queue: string
}
