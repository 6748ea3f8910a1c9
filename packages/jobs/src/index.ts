export type { BegunJob, TraceJob } from './trace-job.ts'
export { type AbortReason, JobAborted, type JobContext, type JobHandler, type RunningJob } from './handler.ts'
export type {
  EnqueuedJob,
  IdempotencyKey,
  Job,
  JobCount,
  JobFilter,
  JobPage,
  JobProgress,
  JobState,
  JobSummary,
  KeyedJobCounts,
  NewJob,
} from './job.ts'
export { JobFailure, type JobFailureOptions } from './job-failure.ts'
export { jobLimits } from './job-limits.ts'
export { type JobStats, newJobStats } from './job-stats.ts'
export { createJobs, type Jobs, type JobsDeps } from './jobs.ts'
export type { JobsLog } from './jobs-log.ts'
export type { JobsStore, QueueTotals } from './store/jobs-store.ts'
export { sqlJobsStore, type JobsStoreOptions } from './store/jobs-store.sql.ts'
export { sqlTransactionalJobs, type TransactionalJobs, type TransactionalJobsOptions } from './store/transactional-jobs-store.sql.ts'
export type { StopOptions, Worker, WorkerOptions } from './worker/start-worker.ts'
