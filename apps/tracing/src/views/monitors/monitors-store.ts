import type { Micros } from '@heddle/datastore'

/** A monitor, by the project and the name of its object. */
export interface MonitorKey {
  project_id: string
  object_id: string
}

/** Progress of a monitor. */
export interface MonitorState {
  /** From when on ended calls are scored. Null while the monitor is inactive. */
  activated_at: Micros | null
  /** Version of the last call that was looked at. Null while the monitor is inactive. */
  watermark: bigint | null
  /** When a server last began to look for calls. */
  swept_at: Micros
  /** Requested scores. */
  sampled: number
  /** Calls that matched and were not chosen. */
  skipped: number
  error: string | null
  /** Version that ended with the key that published it; null where none did. */
  stopped_digest: string | null
}

/** The latest version of a monitor. */
export interface MonitorVersion extends MonitorKey {
  digest: string
  wb_user_id: string | null
  created_at: Micros
  /** Undefined until a server has worked on it. */
  state: MonitorState | undefined
}

/** Where a monitor begins: what ended before is not scored. */
export interface Activation {
  activated_at: Micros
  watermark: bigint
}

/** The calls examined, and their results. */
export interface Advance {
  from: bigint
  to: bigint
  sampled: number
  skipped: number
}

/** Storage of monitors apart from their objects. Only servers sweep; requests read the states of their own project. */
export interface MonitorsStore {
  /** The latest versions of the monitors of all projects behind one, by project and name. */
  listLatest(after: MonitorKey | undefined, limit: number): Promise<MonitorVersion[]>
  /** The states of monitors of a project, by name; those on which no server has worked are omitted. */
  findStates(projectId: string, names: readonly string[]): Promise<Map<string, MonitorState>>
  /** Begins a sweep at a time, unless another server has begun one since the version was read. */
  claim(monitor: MonitorVersion, at: Micros): Promise<boolean>
  /** Begins to work on a monitor that was inactive. */
  activate(monitor: MonitorKey, activation: Activation): Promise<void>
  /** Ends the work on a monitor. Its counts are kept. */
  deactivate(monitor: MonitorKey): Promise<void>
  /** Moves the watermark with the counts, as one step. False, without writing, if it is no longer at `from`. */
  advance(monitor: MonitorKey, advance: Advance): Promise<boolean>
  /** Lets a version work again that ended with its key, since another one was published after it. */
  forgetStopped(monitor: MonitorKey): Promise<void>
  /** Notes why nothing is scored; `advance` takes it back. */
  setError(monitor: MonitorKey, error: string): Promise<void>
  /** Removes the states of monitors whose objects were deleted. */
  removeDeleted(): Promise<void>
}
