import { invariant, type Micros, type Timing } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { JobHandler } from '../handler.ts'
import { type JobStats, outcomeCounter } from '../job-stats.ts'
import type { JobsLog } from '../jobs-log.ts'
import type { JobsStore } from '../store/jobs-store.ts'
import type { TraceJob } from '../trace-job.ts'
import { checkedInteger } from '../job-limits.ts'
import { checkedKind } from '../store/job-row.ts'
import type { ClaimedJob } from '../store/lease.ts'
import { type JobRun, runJob } from './run-job.ts'
import { watchLeases } from './watch-leases.ts'
import { type WorkerTimeOptions, workerTimes } from './worker-times.ts'

export interface WorkerOptions extends WorkerTimeOptions {
  /** The handler of each kind. Jobs of other kinds wait for a worker that has theirs. */
  kinds: Readonly<Record<string, JobHandler>>
  /** Jobs at a time, 1 to 256. */
  concurrency: number
  /** Maximum of one project. Default all but one, so that no project holds all. */
  perProject?: number
  /** The scope in which a handler works. */
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  /** True if no other process works on the queue: jobs left by an earlier process are then restarted immediately, not when their leases expire. */
  isOnlyServer?: boolean
}

export interface StopOptions {
  /** What jobs have to end by themselves. Default 0. */
  drainMs?: number
}

export interface Worker {
  /**
   * Starts no more jobs, aborts those that run, and releases their leases, so that another worker resumes them immediately. Takes at most `drainMs`,
   * `graceMs` and five seconds together.
   */
  stop(options?: StopOptions): Promise<void>
}

export interface WorkerDeps {
  store: JobsStore
  clock: () => Micros
  timing: Timing
  log: JobsLog
  stats: JobStats
  /** See `JobsDeps`. */
  trace: TraceJob | undefined
  /** Names this worker among all. */
  owner: string
  /** True for workers of this process. */
  isOwn: (owner: string | null) => boolean
}

/** Notifications that a worker receives from its own server. */
export interface RunningWorker extends Worker {
  onEnqueued(): void
  /** A transaction that enqueues jobs is about to commit. */
  onExpected(): void
  onCancelled(jobId: string): void
}

const settleMs = 5_000

export function startWorker(options: WorkerOptions, deps: WorkerDeps): RunningWorker {
  const { store, clock, timing, log, stats, trace, owner, isOwn } = deps
  const times = workerTimes(options)
  const kinds = Object.keys(options.kinds).map(checkedKind)
  const concurrency = checkedInteger('concurrency', options.concurrency, { min: 1, max: 256 })
  const perProject = checkedInteger('perProject', options.perProject ?? Math.max(1, concurrency - 1), { min: 1, max: concurrency })
  const handlers = new Map(Object.entries(options.kinds))
  const runs = new Set<JobRun>()
  let isStopping = false
  let isRequestedAgain = false
  let isExpecting = false
  let isIdle = false
  let filling: Promise<void> | undefined
  let cancelPoll = () => {}

  const onFault = (operation: string) => (error: unknown) => {
    stats.faults++
    log.error({ operation: `jobs.${operation}`, err: error }, 'the store of jobs failed; it is tried again')
  }
  const watch = watchLeases({
    store,
    clock,
    timing,
    checkMs: times.checkMs,
    onFault: onFault('watch'),
    onExpired() {
      stats.expired++
      fill()
    },
  })

  /** Projects with as many jobs here as one may have. */
  function fullProjects(): string[] {
    const counts = new Map<string, number>()
    for (const { job } of runs) counts.set(job.projectId, (counts.get(job.projectId) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= perProject).map(([projectId]) => projectId)
  }

  function start(job: ClaimedJob, claimedAtMs: number): void {
    const handler = handlers.get(job.kind)
    if (!handler) throw new Error(`claimed a job of kind ${job.kind}, which has no handler`)
    for (const run of runs) {
      const isNewer = run.job.number !== job.number || run.job.token < job.token
      invariant(isNewer, 'jobs.lease-tokens-rise', () => `job ${job.id} was claimed with token ${job.token} after ${run.job.token}`)
    }
    stats.started++
    const run = runJob(job, {
      handler,
      openProject: options.openProject,
      store,
      clock,
      timing,
      times,
      claimedAtMs,
      trace,
      onFault: onFault('heartbeat'),
      onSettled(outcome, end) {
        stats[outcomeCounter(outcome)]++
        if (end.status === 'threw' && (outcome?.state === 'failed' || (outcome?.state === 'queued' && !outcome.isRefunded)))
          log.info({ operation: `jobs.${job.kind}`, err: end.error }, 'an attempt of a job failed')
      },
    })
    runs.add(run)
    void run.ended.then(() => {
      runs.delete(run)
      fill()
    })
    if (isStopping) run.lease.abort('stopping')
  }

  async function claimAll(): Promise<void> {
    while (!isStopping && runs.size < concurrency) {
      const claimedAtMs = timing.now()
      const job = await store.claim({ owner, kinds, except: fullProjects(), at: clock() })
      if (!job) return
      start(job, claimedAtMs)
    }
  }

  async function fillOnce(): Promise<void> {
    let { pollMs } = times
    try {
      do {
        isRequestedAgain = false
        isExpecting = false
        await claimAll()
        // Checked within the loop: a job that arrives meanwhile is claimed, however far off the next poll is.
        isIdle = options.isOnlyServer === true && !(await store.hasWaiting()) && !isExpecting
        pollMs = isIdle ? times.idlePollMs : times.pollMs
      } while (isRequestedAgain && !isStopping)
    } catch (error) {
      isIdle = false
      pollMs = times.pollMs
      onFault('claim')(error)
    } finally {
      filling = undefined
      pollLater(pollMs)
    }
  }

  function fill(): void {
    isRequestedAgain = true
    if (!isStopping) filling ??= fillOnce()
  }

  function pollLater(pollMs: number): void {
    cancelPoll()
    // Servers that started together do not poll together.
    if (!isStopping) cancelPoll = timing.after(pollMs * (0.75 + timing.random() / 2), fill)
  }

  async function within(work: Promise<unknown>, ms: number): Promise<void> {
    let cancel = () => {}
    const over = new Promise<void>((resolve) => {
      cancel = timing.after(ms, resolve)
    })
    await Promise.race([work, over])
    cancel()
  }

  async function allSettled(): Promise<void> {
    // A job that was being claimed when the worker stopped is among the runs after this.
    await filling
    await Promise.all([...runs].map(({ settled }) => settled))
  }

  async function stop({ drainMs = 0 }: StopOptions = {}): Promise<void> {
    isStopping = true
    cancelPoll()
    await within(allSettled(), drainMs)
    for (const run of runs) run.lease.abort('stopping')
    await within(Promise.all([watch.stop(), allSettled()]), times.graceMs + settleMs)
  }

  async function begin(): Promise<void> {
    if (options.isOnlyServer) await watch.expireWhere((holder) => !isOwn(holder)).catch(onFault('recover'))
    fill()
  }

  void begin()
  return {
    stop,
    onEnqueued: fill,
    onExpected() {
      isExpecting = true
      if (!isIdle || filling !== undefined) return
      isIdle = false
      pollLater(times.pollMs)
    },
    onCancelled(jobId) {
      for (const { job, lease } of runs) if (job.id === jobId) lease.heartbeatNow()
    },
  }
}
