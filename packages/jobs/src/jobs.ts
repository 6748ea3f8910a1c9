import { badRequest } from '@heddle/core-api/internal'
import type { Micros, Timing } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { EnqueuedJob, Job, JobCount, JobFilter, JobPage, JobSummary, KeyedJobCounts, NewJob } from './job.ts'
import type { TraceJob } from './trace-job.ts'
import { checkedInteger, jobLimits } from './job-limits.ts'
import { toJobRow } from './store/job-row.ts'
import { type JobStats, newJobStats } from './job-stats.ts'
import type { JobsLog } from './jobs-log.ts'
import type { JobsStore, QueueTotals } from './store/jobs-store.ts'
import { type RunningWorker, startWorker, type StopOptions, type Worker, type WorkerOptions } from './worker/start-worker.ts'

export interface JobsDeps {
  store: JobsStore
  clock: () => Micros
  timing: Timing
  newId: () => string
  log: JobsLog
  /** Runs the handlers of jobs. Absent: they are not followed. */
  trace?: TraceJob | undefined
  /** How long a job is stored after its end. Default 30 days. */
  keptMicros?: Micros
  /** Finished jobs of a project that are stored. Default 100,000. */
  keptPerProject?: number
}

/** The durable queue of one service: users enqueue jobs, and workers run them when they can. */
export interface Jobs {
  /**
   * Enqueues a job. It is durable once this resolves.
   * @throws ApiError 400 for a value out of range, 409 for an idempotency key with other content, 413 for a payload above 256 KiB, 429 when 10,000 jobs of the project wait
   */
  enqueue(project: ProjectScope, job: NewJob): Promise<EnqueuedJob>
  /** Enqueues at most 1,000 jobs, all or none, in their order. @throws as `enqueue` */
  enqueueAll(project: ProjectScope, jobs: readonly NewJob[]): Promise<EnqueuedJob[]>
  /** Lets the workers look for jobs within their `pollMs`: a transaction that enqueues some is about to commit. */
  expect(): void
  /** Undefined for an id of no job of the project. */
  get(project: ProjectScope, id: string): Promise<Job | undefined>
  /** @throws ApiError 400 for a page out of range, 404 when there is no job `after` */
  list(project: ProjectScope, filter?: JobFilter, page?: JobPage): Promise<{ jobs: JobSummary[]; hasMore: boolean }>
  /** Jobs of the project by kind and state; without those of none. */
  counts(project: ProjectScope): Promise<JobCount[]>
  /** Jobs of the project whose idempotency key begins with this text. */
  countByKey(project: ProjectScope, prefix: string): Promise<KeyedJobCounts>
  /** Number of jobs of the project that wait. */
  countWaiting(project: ProjectScope): Promise<number>
  /**
   * Cancels a waiting job immediately, and requests the end of a running one: its state changes when its handler has ended. A finished job is
   * unchanged. Undefined if the project has no job with the id.
   */
  cancel(project: ProjectScope, id: string): Promise<JobSummary | undefined>
  /** Metrics of the whole queue, and of the workers of this process. */
  stats(): Promise<QueueTotals & JobStats>
  /** Removes finished jobs that are older, or more, than are kept. Ends early when the signal aborts. Returns how many it removed. */
  sweep(signal?: AbortSignal): Promise<number>
  /** Starts to work on the jobs of all projects. @throws ApiError 400 for options out of range */
  startWorker(options: WorkerOptions): Worker
}

const defaultKeptMicros = 30 * 86_400 * 1_000_000
const defaultKeptPerProject = 100_000

export function createJobs(deps: JobsDeps): Jobs {
  const { store, clock, timing, newId, log } = deps
  const { keptMicros = defaultKeptMicros, keptPerProject = defaultKeptPerProject } = deps
  const workers = new Map<string, RunningWorker>()
  const stats = newJobStats()

  async function enqueueAll(project: ProjectScope, jobs: readonly NewJob[]): Promise<EnqueuedJob[]> {
    if (jobs.length > jobLimits.batch) throw badRequest(`${jobs.length} jobs cannot be enqueued at once; at most ${jobLimits.batch} can`)
    const now = clock()
    const enqueued = await store.enqueue(
      project,
      jobs.map((job) => toJobRow(job, { id: newId(), now })),
    )
    if (enqueued.some(({ isNew }) => isNew)) for (const worker of workers.values()) worker.onEnqueued()
    return enqueued
  }

  return {
    async enqueue(project, job) {
      const [enqueued] = await enqueueAll(project, [job])
      if (!enqueued) throw new Error('a job was enqueued and not found')
      return enqueued
    },
    enqueueAll,
    expect() {
      for (const worker of workers.values()) worker.onExpected()
    },
    get: (project, id) => store.find(project, id),
    async list(project, filter = {}, page = {}) {
      const limit = checkedInteger('limit', page.limit ?? 100, { min: 1, max: jobLimits.pageSize })
      const jobs = await store.list(project, filter, { order: 'desc', ...page, limit: limit + 1 })
      return { jobs: jobs.slice(0, limit), hasMore: jobs.length > limit }
    },
    counts: (project) => store.count(project),
    countByKey: (project, prefix) => store.countByKey(project, prefix),
    countWaiting: (project) => store.countWaiting(project),
    async cancel(project, id) {
      const job = await store.cancel(project, id, clock())
      for (const worker of workers.values()) {
        if (job?.state === 'running') worker.onCancelled(id)
        // A job behind it may be due now.
        else worker.onEnqueued()
      }
      return job
    },
    stats: async () => ({ ...(await store.totals()), ...stats }),
    async sweep(signal) {
      let removed = 0
      for (let some = 1; some > 0 && !signal?.aborted; removed += some)
        some = await store.sweep({ endedBefore: clock() - keptMicros, perProject: keptPerProject })
      return removed
    },
    startWorker(options) {
      const owner = newId()
      const worker = startWorker(options, {
        store,
        clock,
        timing,
        log,
        stats,
        trace: deps.trace,
        owner,
        isOwn: (owner) => owner !== null && workers.has(owner),
      })
      workers.set(owner, worker)
      return {
        async stop(options?: StopOptions) {
          await worker.stop(options)
          workers.delete(owner)
        },
      }
    },
  }
}
