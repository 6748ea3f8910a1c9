import type { ProjectScope } from '@heddle/identity'
import type { Platform } from '../../platform.ts'
import { repeatSweep } from '@heddle/datastore'
import type { Scoring } from '../../domain/scoring/scoring.ts'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import type { PricesFor } from '../../records/costs/prices.ts'
import type { ObjectsStore } from '../../records/objects/objects-store.ts'
import type { PresentVersions } from '../../records/objects/versions/present-versions.ts'
import { sqlMonitorScoresStore } from './monitor-scores-store.sql.ts'
import { type MonitorTimes, monitorTimes } from './monitor-times.ts'
import { monitorsHandlers } from './monitors-handlers.ts'
import { sqlMonitorsStore } from './monitors-store.sql.ts'
import { createSweepMonitors } from './sweep-monitors.ts'
import { createWatchMonitor } from './watch-monitor.ts'

interface MonitorsOptions {
  objects: ObjectsStore
  presentVersions: PresentVersions
  calls: CallsStore
  prices: PricesFor
  scoring: Scoring
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

/** Monitors: the objects that define what this server scores, and their results. `start` begins to look for calls. */
export function createMonitors(platform: Platform, options: MonitorsOptions, given: Partial<MonitorTimes> = {}) {
  const { analytical, visibility, database, jobs, clock, refProjects, log } = platform
  const { objects, presentVersions, calls, prices, scoring, openProject } = options
  const times = { ...monitorTimes(platform), ...given }
  const store = sqlMonitorsStore(database)
  const scores = sqlMonitorScoresStore(analytical, visibility)
  const watch = createWatchMonitor({ store, calls, jobs, loadScorer: scoring.loadScorer, clock, times })
  const sweep = createSweepMonitors({
    store,
    loadObject: scoring.loadObject,
    watch,
    openProject,
    clock,
    times,
    onError: (error) =>
      log?.error({ operation: 'monitors.sweep', err: error }, 'failed to look for calls of a monitor; will retry on next sweep'),
  })
  return {
    handlers: monitorsHandlers({ store, scores, objects, presentVersions, prices, jobs, refProjects }),
    start: () =>
      repeatSweep(sweep, {
        everyMs: times.everyMs,
        onError: (error) => log?.error({ err: error }, 'failed to look for calls of monitors; will retry on next sweep'),
      }),
  }
}
