import type { CaptureSettings } from '../capture/capture-settings.ts'
import type { Recorder } from '../capture/recorder.ts'
import { createRecordingFetch } from '../capture/recording-fetch.ts'
import { wrapClient } from '../capture/wrap-client.ts'
import { type ActiveTrajectory, withTrajectory } from '../capture/active-trajectory.ts'
import type { TrajectorySpan } from '../spans/trajectory-span.ts'
import type { Trajectory } from '../context/trajectory.ts'

/** What makes code part of a trajectory. */
export type TrajectoryScope = Pick<Trajectory, 'fetch' | 'openai' | 'anthropic' | 'run' | 'bind'>

interface ScopeOptions {
  /** What `activeTrajectory` returns inside. */
  trajectory: () => ActiveTrajectory
  recorder: Recorder
  /** Undefined once nothing is recorded any more. */
  recorderNow: () => Recorder | undefined
  span: TrajectorySpan
  settings: CaptureSettings
}

export function createScope({ trajectory, recorder, recorderNow, span, settings }: ScopeOptions): TrajectoryScope {
  const run = <T>(work: () => T): T => withTrajectory({ trajectory: trajectory(), recorder }, () => span.run(work))
  return {
    fetch: createRecordingFetch(settings.fetch, recorderNow),
    openai: (client) => wrapClient(client, createRecordingFetch(settings.fetchOf(client), recorderNow)),
    anthropic: (client) => wrapClient(client, createRecordingFetch(settings.fetchOf(client), recorderNow)),
    run,
    bind:
      (work) =>
      (...values) =>
        run(() => work(...values)),
  }
}
