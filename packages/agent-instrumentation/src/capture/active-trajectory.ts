import { AsyncLocalStorage } from 'node:async_hooks'
import type { Recorder } from './recorder.ts'
import type { Trajectory } from '../context/trajectory.ts'

/** An attempt in its own process, or the part of it that is continued in another. */
export type ActiveTrajectory = Omit<Trajectory, 'finish' | 'join' | keyof AsyncDisposable>

interface Active {
  trajectory: ActiveTrajectory
  recorder: Recorder
}

/** The version changes with the stored value, so that copies of the package that cannot read each other's values do not share them. */
const slot = Symbol.for('heddle.agent-instrumentation.trajectory.v1')

/** One for the process, however many copies of the package are loaded (ESM and CommonJS, or two versions). */
function storage(): AsyncLocalStorage<Active> {
  const holder = globalThis as { [slot]?: AsyncLocalStorage<Active> }
  return (holder[slot] ??= new AsyncLocalStorage())
}

/** The trajectory that the running code belongs to; undefined outside of one. Never throws. */
export function activeTrajectory(): ActiveTrajectory | undefined {
  return storage().getStore()?.trajectory
}

/** What takes the model calls of the running code; undefined outside of a trajectory. */
export function activeRecorder(): Recorder | undefined {
  return storage().getStore()?.recorder
}

/** Runs `work`, and everything that it starts, as part of the trajectory. */
export function withTrajectory<T>(active: Active, work: () => T): T {
  return storage().run(active, work)
}
