import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { LoadScorer } from '../../domain/scoring/load-scorer.ts'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import { versionAt } from '../../records/calls/write/hybrid-clock.ts'
import { enqueueScores } from './enqueue-scores.ts'
import { type MonitorDefinition, MonitorError } from './monitor-definition.ts'
import type { MonitorTimes } from './monitor-times.ts'
import { monitoredCalls } from './monitored-calls.ts'
import type { Activation, MonitorsStore, MonitorVersion } from './monitors-store.ts'
import { takePage } from './take-page.ts'

/** Calls that one statement finds. */
const pageSize = 500
/** Pages of one look. */
const maxPages = 20
/** Most scores requested per look. */
const maxScores = 1_000
/** Monitors leave the rest of the queue of a project to its users. */
const maxWaitingJobs = 1_000
/** A version that is published again keeps the time of its first publication, so it counts as activated at most this long before a server sees it. */
const activationSlackMicros = 60_000_000
/** A watermark this far ahead was set by a clock that has been set back since. */
const clockSlackMicros = 300_000_000

export interface WatchMonitorDeps {
  store: MonitorsStore
  calls: Pick<CallsStore, 'findWritten'>
  jobs: Pick<Jobs, 'enqueueAll' | 'countWaiting'>
  loadScorer: LoadScorer
  clock: () => Micros
  times: MonitorTimes
}

export interface WatchedMonitor {
  project: ProjectScope
  version: MonitorVersion
  definition: MonitorDefinition
}

/**
 * Looks for new calls of an active monitor, from its watermark on, and enqueues scores of the chosen ones. Scores are enqueued before the watermark
 * moves past their calls, and are found again by their keys, so none is lost or created twice, wherever it stops.
 * @throws MonitorError when the queue of the project is full; the errors of loading a scorer and of the stores. The next look then begins where this
 * one ended.
 */
export type WatchMonitor = (monitor: WatchedMonitor) => Promise<void>

export function createWatchMonitor(deps: WatchMonitorDeps): WatchMonitor {
  const { store, calls, jobs, loadScorer, clock, times } = deps

  async function begin({ version }: WatchedMonitor): Promise<Activation> {
    const { state, created_at } = version
    if (state?.watermark != null && state.activated_at !== null) return { watermark: state.watermark, activated_at: state.activated_at }
    const activated_at = Math.max(created_at, clock() - activationSlackMicros)
    const activation = { activated_at, watermark: versionAt(activated_at) }
    await store.activate(version, activation)
    return activation
  }

  /** Most scores that one look may request: half of the room in the queue, so that the other monitors of the project get some too. */
  async function budgetFor({ project, definition }: WatchedMonitor): Promise<number> {
    const waiting = await jobs.countWaiting(project)
    const room = maxWaitingJobs - waiting
    if (room < definition.scorers.length)
      throw new MonitorError(
        `${waiting} jobs of the project wait; the monitor continues where it stopped when fewer than ${maxWaitingJobs} do`,
      )
    return Math.min(maxScores, Math.max(definition.scorers.length, Math.floor(room / 2)))
  }

  /** Looks at one page. Undefined when all has been looked at, the budget is spent, or another server continues. */
  async function watchPage(monitor: WatchedMonitor, at: Activation, { until, budget }: { until: bigint; budget: number }) {
    const { project, version, definition } = monitor
    const { scorers, samplingRate: rate } = definition
    const page = await calls.findWritten(project, {
      ...monitoredCalls(project, definition),
      after: at.watermark,
      until,
      endedFrom: at.activated_at,
      started: { from: clock() - times.windowMs * 1000 },
      limit: pageSize,
    })
    const maxChosen = Math.floor(budget / scorers.length)
    const taken = takePage(page, { monitor: `${project.id}/${version.object_id}`, rate, maxChosen })
    if (taken.chosen.length > 0) await Promise.all(scorers.map((scorer) => loadScorer(project, scorer)))
    await enqueueScores(jobs, monitor, { callIds: taken.chosen, scorers })
    const isCut = taken.calls.length < page.length
    const isAll = !isCut && page.length < pageSize
    const to = isAll ? until : BigInt(taken.calls.at(-1)?.version ?? at.watermark)
    const sampled = taken.chosen.length * scorers.length
    const skipped = taken.calls.length - taken.chosen.length
    const isMoved = await store.advance(version, { from: at.watermark, to, sampled, skipped })
    return isAll || isCut || !isMoved ? undefined : { watermark: to, budget: budget - sampled }
  }

  return async (monitor) => {
    const { watermark, activated_at } = await begin(monitor)
    const until = versionAt(clock() - times.settleMs * 1000)
    if (watermark > versionAt(clock() + clockSlackMicros)) {
      await store.advance(monitor.version, { from: watermark, to: until, sampled: 0, skipped: 0 })
      return
    }
    if (until <= watermark) return
    let next: { watermark: bigint; budget: number } | undefined = { watermark, budget: await budgetFor(monitor) }
    for (let pages = 0; next !== undefined && pages < maxPages; pages++)
      next = await watchPage(monitor, { watermark: next.watermark, activated_at }, { until, budget: next.budget })
  }
}
