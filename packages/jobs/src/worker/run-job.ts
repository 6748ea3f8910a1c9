import { badRequest } from '@heddle/core-api/internal'
import { invariant, type Micros, type Timing } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { decideOutcome, type HandlerEnd } from './decide-outcome.ts'
import type { JobContext, JobHandler, RunningJob } from '../handler.ts'
import { type HeldJobLease, holdLease } from './hold-lease.ts'
import type { TraceJob } from '../trace-job.ts'
import { boundedJson, jobLimits } from '../job-limits.ts'
import type { LeasesStore } from '../store/jobs-store.ts'
import type { ClaimedJob, Outcome } from '../store/lease.ts'
import type { WorkerTimes } from './worker-times.ts'

export interface RunJobOptions {
  handler: JobHandler
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  store: LeasesStore
  clock: () => Micros
  timing: Timing
  times: WorkerTimes
  claimedAtMs: number
  /** See `JobsDeps`. */
  trace: TraceJob | undefined
  onFault: (error: unknown) => void
  /** The outcome of the job; undefined when its lease is lost. */
  onSettled: (outcome: Outcome | undefined, end: HandlerEnd) => void
}

/** One attempt of a job, under way. */
export interface JobRun {
  readonly job: ClaimedJob
  readonly lease: Pick<HeldJobLease, 'abort' | 'heartbeatNow'>
  /** Resolves when its lease has ended. */
  readonly settled: Promise<void>
  /** Resolves when its handler has ended as well. */
  readonly ended: Promise<void>
}

export function runJob(job: ClaimedJob, options: RunJobOptions): JobRun {
  const { store, clock, timing, times, claimedAtMs, onFault, onSettled } = options
  const lease = holdLease({ lease: job, claimedAtMs, store, clock, timing, times, onFault })
  const end = callHandler(job, lease, options)

  async function settle(): Promise<void> {
    const last = await Promise.race([end, lease.graceOver.then((): HandlerEnd => ({ status: 'running' }))])
    const { attempt, maxAttempts } = job
    const outcome = decideOutcome({ end: last, aborted: lease.aborted, attempt, maxAttempts, now: clock() }, timing)
    const isSettled = await lease.settle(outcome)
    onSettled(isSettled ? outcome : undefined, last)
  }

  const settled = settle()
  return { job, lease, settled, ended: settled.then(() => end).then(() => undefined) }
}

async function callHandler(job: ClaimedJob, lease: HeldJobLease, { handler, openProject, trace }: RunJobOptions): Promise<HandlerEnd> {
  try {
    const project = await openProject(job.projectId, lease.signal)
    invariant(project.id === job.projectId, 'jobs.run-in-their-project', () => `job ${job.id} of ${job.projectId} got ${project.id}`)
    const work = async () => handler(toRunningJob(job, project), toContext(lease))
    return { status: 'returned', result: await (trace ? trace(job, work) : work()) }
  } catch (error) {
    return { status: 'threw', error }
  }
}

function toRunningJob(job: ClaimedJob, project: ProjectScope): RunningJob {
  const { id, kind, serialKey, attempt, maxAttempts, createdAt } = job
  const savedState: unknown = job.savedState === null ? null : JSON.parse(job.savedState)
  return { id, project, kind, payload: JSON.parse(job.payload), serialKey, attempt, maxAttempts, savedState, createdAt }
}

function toContext(lease: HeldJobLease): JobContext {
  return {
    signal: lease.signal,
    progress(fraction, value = null) {
      if (fraction !== null && !(fraction >= 0 && fraction <= 1))
        throw badRequest(`the fraction of a progress must be between 0 and 1, or null; got ${fraction}`)
      boundedJson('value of a progress', value, jobLimits.progressBytes)
      lease.report(JSON.stringify({ fraction, value }))
    },
    saveState: async (state) => lease.saveState(boundedJson('saved state of a job', state, jobLimits.savedStateBytes)),
    commit: (work) => lease.commit(work),
  }
}
