import type { Micros } from '@heddle/datastore'

/** `queued` until a worker starts it, and again between attempts. The last three are final. */
export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

export const jobStates: readonly JobState[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled']

/** Work for a project that outlives the request for it. Values are JSON. */
export interface NewJob {
  /** Which handler runs it: 1 to 64 characters of `a-z0-9_`. */
  kind: string
  /** Input of the handler. At most 256 KiB as JSON. Numbers are doubles. */
  payload: unknown
  idempotency?: IdempotencyKey
  /** Jobs of a project with the same one run one at a time, in the order in which they were enqueued. Absent: in any order. */
  serialKey?: string
  /** Not started before, at most 30 days ahead. A job with a serial key delays those behind it as well. Absent: immediately. */
  runAfter?: Micros
  /** Attempts until it fails, 1 to 20. Default 3. */
  maxAttempts?: number
}

/** Makes an enqueueing repeatable. Keys are of one project, for as long as the job is stored. */
export interface IdempotencyKey {
  key: string
  /** The content that must be equal for two jobs to be the same. Default: kind, payload and serial key. A constant if the key alone decides. */
  content?: unknown
  /** True: after a failed or a cancelled job the key makes a new one. Default false: it finds that job. */
  isReleasedByFailure?: boolean
}

/** Jobs of a project whose idempotency keys share a prefix, by state. Finished jobs count while they are stored. */
export interface KeyedJobCounts {
  /** Queued and running. */
  unfinished: number
  failed: number
}

/** How far a job is, in the words of its handler. */
export interface JobProgress {
  /** 0 to 1; null where the handler does not know. */
  fraction: number | null
  /** At most 4 KiB as JSON; null if there is none. */
  value: unknown
}

/** A job as lists show it. */
export interface JobSummary {
  id: string
  projectId: string
  kind: string
  state: JobState
  serialKey: string | null
  /** Starts so far, excluding those that ended because the server stopped. */
  attempt: number
  maxAttempts: number
  /** Null until the handler reports some. */
  progress: JobProgress | null
  /** Why the last attempt failed, in readable form; null if none did. */
  error: string | null
  /** Null unless its cancellation was requested. */
  cancelRequestedAt: Micros | null
  createdAt: Micros
  /** Not started before. Null: as soon as possible. */
  runAfter: Micros | null
  /** Start of the first attempt; null before. */
  startedAt: Micros | null
  /** Null while the job may still run. */
  endedAt: Micros | null
}

export interface Job extends JobSummary {
  payload: unknown
  /** The handler's return value; null unless the job succeeded. */
  result: unknown
}

export interface EnqueuedJob {
  job: JobSummary
  /** False where the idempotency key found a job that was there. */
  isNew: boolean
}

export interface JobFilter {
  kind?: string
  state?: JobState
  serialKey?: string
}

export interface JobPage {
  /** Default `desc`: the newest first. */
  order?: 'asc' | 'desc'
  /** Id of the last job of the page before. */
  after?: string
  /** 1 to 1,000. Default 100. */
  limit?: number
}

/** Jobs of a project of one kind and state. */
export interface JobCount {
  kind: string
  state: JobState
  jobs: number
}
