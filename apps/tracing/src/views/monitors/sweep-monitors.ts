import { isApiError } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { LRUCache } from 'lru-cache'
import { objectRef } from '../../payload/object-ref.ts'
import { ModelError } from '../../domain/scoring/model/completion-model.ts'
import { type LoadObject, ObjectError } from '../../domain/scoring/load-object.ts'
import { ScorerError } from '../../domain/scoring/subject.ts'
import { type MonitorDefinition, MonitorError, readMonitor } from './monitor-definition.ts'
import type { MonitorTimes } from './monitor-times.ts'
import type { MonitorsStore, MonitorVersion } from './monitors-store.ts'
import type { WatchMonitor } from './watch-monitor.ts'

/** Monitors that are read at a time. */
const pageSize = 200
/** Definitions that are kept; a version never changes. */
const maxDefinitions = 1_000
/** A sweep this far ahead of the clock began before the clock was set back, or on a server whose clock is wrong. */
const clockSlackMicros = 60_000_000

export interface SweepMonitorsDeps {
  store: MonitorsStore
  loadObject: LoadObject
  watch: WatchMonitor
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  clock: () => Micros
  times: Pick<MonitorTimes, 'everyMs'>
  /** Called where the server failed, and not the monitor. */
  onError: (error: unknown) => void
}

/**
 * Processes the monitors of all projects, one after the other: each due one is taken by one server. An error of one does not block the others. Ends
 * early when the signal aborts.
 */
export type SweepMonitors = (signal: AbortSignal) => Promise<void>

export function createSweepMonitors(deps: SweepMonitorsDeps): SweepMonitors {
  const { store, loadObject, watch, openProject, clock, times, onError } = deps
  const definitions = new LRUCache<string, MonitorDefinition | MonitorError>({ max: maxDefinitions })

  async function readDefinition(project: ProjectScope, version: MonitorVersion): Promise<MonitorDefinition | MonitorError> {
    const ref = objectRef(project, version)
    const known = definitions.get(ref)
    if (known !== undefined) return known
    const definition = readMonitor((await loadObject(project, ref)).value)
    definitions.set(ref, definition)
    return definition
  }

  function isDue({ state }: MonitorVersion, now: Micros): boolean {
    if (state === undefined) return true
    return state.swept_at <= now - times.everyMs * 1000 || state.swept_at > now + clockSlackMicros
  }

  async function sweepOne(version: MonitorVersion, signal: AbortSignal): Promise<void> {
    const project = await openProject(version.project_id, signal)
    const definition = await readDefinition(project, version)
    const stopped = version.state?.stopped_digest ?? null
    if (stopped !== null && stopped !== version.digest) await store.forgetStopped(version)
    if (!(definition instanceof MonitorError) && definition.active && stopped !== version.digest) {
      if (await store.claim(version, clock())) await watch({ project, version, definition })
    } else if (version.state !== undefined && version.state.activated_at !== null) {
      await store.deactivate(version)
    }
  }

  async function sweepDue(version: MonitorVersion, signal: AbortSignal): Promise<void> {
    if (!isDue(version, clock())) return
    try {
      await sweepOne(version, signal)
    } catch (error) {
      if (signal.aborted) return
      if (!isOfMonitor(error)) onError(error)
      await store.setError(
        version,
        isOfMonitor(error) ? error.message : 'the server failed to look for calls; it tries again, and its log says why',
      )
    }
  }

  return async (signal) => {
    let after: MonitorVersion | undefined
    do {
      const page: MonitorVersion[] = await store.listLatest(after, pageSize)
      for (const version of page) {
        if (signal.aborted) return
        await sweepDue(version, signal)
      }
      after = page.length < pageSize ? undefined : page.at(-1)
    } while (after !== undefined)
    await store.removeDeleted()
  }
}

/** True for errors that the owner of the monitor can fix, or must wait out. */
function isOfMonitor(error: unknown): error is Error {
  return [MonitorError, ObjectError, ScorerError, ModelError].some((kind) => error instanceof kind) || isApiError(error)
}
