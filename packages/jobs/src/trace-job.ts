/** An attempt of a job, without what the job is about. */
export interface BegunJob {
  kind: string
  /** From 1. */
  attempt: number
}

/** Runs the handler of an attempt within a new span. */
export type TraceJob = <T>(job: BegunJob, work: () => Promise<T>) => Promise<T>
