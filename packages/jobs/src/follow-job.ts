/** An attempt of a job, without what the job is about. */
export interface BegunJob {
  kind: string
  /** From 1. */
  attempt: number
}

/** Follows an attempt of a job: runs its handler. */
export type FollowJob = <T>(job: BegunJob, work: () => Promise<T>) => Promise<T>
