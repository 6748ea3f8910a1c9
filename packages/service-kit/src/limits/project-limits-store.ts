import type { LimitChanges, LimitValues } from '@heddle/core-api/internal'

/** A project that a request has opened. */
export interface LimitedProject {
  readonly id: string
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal | undefined
}

/** Bytes that a project was sent on a day. */
export interface BytesOfDay {
  projectId: string
  /** Whole days since 1970-01-01 UTC. */
  day: number
  bytes: number
}

/** Requests that count for a rate. */
export interface CountedRequests {
  rate: 'requests_per_minute' | 'requests_per_minute_per_key'
  /** The project, or the key in a project. */
  subject: string
  requests: number
}

/** The limits that were set for projects, and the bytes that count for them. */
export interface ProjectLimitsStore {
  /** For all requests of the project that wait for it, so none of them ends it. */
  read(projectId: string): Promise<LimitValues>
  /** Keeps the limits that are absent from `changes`. */
  write(project: LimitedProject, changes: LimitChanges): Promise<void>
  /** Bytes of all servers together. */
  readBytes(projectId: string, day: number): Promise<number>
  /** Adds to the stored counts, in one statement. Returns the totals of all servers. */
  addBytes(added: readonly BytesOfDay[]): Promise<BytesOfDay[]>
  /**
   * Adds requests to what all servers have counted for the same rates since these were first counted, all in one statement, on a day as of
   * `BytesOfDay`. Returns the sums.
   */
  addRequests(added: readonly CountedRequests[], day: number): Promise<CountedRequests[]>
  /** Forgets the sums of rates that have not been used since that day. */
  deleteRequestsBefore(day: number): Promise<void>
  /** Forgets earlier days. */
  deleteBytesBefore(day: number): Promise<void>
}
