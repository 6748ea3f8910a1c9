import type { Database, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** A job as its handler sees it. */
export interface RunningJob {
  id: string
  /** Its store calls end when the job is aborted. */
  project: ProjectScope
  kind: string
  payload: unknown
  serialKey: string | null
  /** 1 for the first. */
  attempt: number
  maxAttempts: number
  /** What an attempt before saved last; null when none did. */
  savedState: unknown
  createdAt: Micros
}

export interface JobContext {
  /** Aborts with a `JobAborted`. A handler that continues still occupies its slot in the worker, and can write nothing to its job. */
  signal: AbortSignal
  /**
   * Reports progress. It is stored within a second, and before the job ends; of several reports the last counts.
   * @throws ApiError 400 for a fraction outside 0 to 1, 413 for a value above 4 KiB
   */
  progress(fraction: number | null, value?: unknown): void
  /**
   * Saves the state from which a later attempt starts, replacing any saved before. Resolves once it is durable.
   * @throws ApiError 413 above 1 MiB, JobAborted when the lease is lost, StoreError when the store failed: the state may then be saved or not
   */
  saveState(state: unknown): Promise<void>
  /**
   * Runs `work` in a transaction of the relational store that commits only while the lease is held, so that no two attempts both write.
   * `work` uses the transaction alone, and is short.
   * @throws JobAborted when the lease is lost
   */
  commit<T>(work: (transaction: Database) => Promise<T>): Promise<T>
}

/**
 * Runs one attempt of a job. Its return value is the result: JSON, at most 256 KiB; undefined becomes null. It fails by throwing: a `JobFailure`, or
 * any error, after which the job is retried. An attempt may follow one that was interrupted at any point, so its other writes must be repeatable.
 */
export type JobHandler = (job: RunningJob, context: JobContext) => Promise<unknown>

/** Why the signal of a handler was aborted. */
export type AbortReason = 'cancelled' | 'lease lost' | 'stopping' | 'time limit'

export class JobAborted extends Error {
  override readonly name = 'JobAborted'
  readonly reason: AbortReason

  constructor(reason: AbortReason) {
    super(`the job was aborted: ${reason}`)
    this.reason = reason
  }
}
