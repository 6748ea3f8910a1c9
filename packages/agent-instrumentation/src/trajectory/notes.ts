import { TrajectoryMisuse } from '../misuse-error.ts'
import type { RecordedTrajectory } from './recorded.ts'
import type { RewardOptions, Trajectory } from '../context/trajectory.ts'

/** What happened in model calls, by the name of a metric. */
export type CounterName = 'failed_model_calls' | 'incomplete_responses' | 'unrecorded_model_calls'

/** Data about an attempt apart from its model calls. */
export interface NotesData {
  reward: { value: number; options: RewardOptions } | undefined
  metrics: RecordedTrajectory['metrics']
  /** How often something happened, by the name of its metric. */
  counts: Partial<Record<CounterName, number>>
  metadata: RecordedTrajectory['metadata']
  logs: string[]
}

export interface Notes extends Pick<Trajectory, 'reward' | 'metric' | 'metadata' | 'log'> {
  readonly data: Readonly<NotesData>
  /** With a text for the log if there is one. */
  count(name: CounterName, words?: string): void
  /** Adds the notes of another process. */
  join(other: NotesData): void
  /** All later notes of the program are ignored. */
  close(): void
}

/** Collects a program's notes about its attempt until closed. */
export function createNotes(trajectoryId: string): Notes {
  const data: NotesData = { reward: undefined, metrics: {}, counts: {}, metadata: {}, logs: [] }
  let isClosed = false

  function count(name: CounterName, by: number) {
    data.counts[name] = (data.counts[name] ?? 0) + by
  }

  return {
    data,
    reward(value, options = {}) {
      assertFinite(trajectoryId, 'the reward', value)
      if (!isClosed) data.reward = { value, options }
    },
    metric(name, value) {
      if (typeof value === 'number') assertFinite(trajectoryId, `metric "${name}"`, value)
      if (!isClosed) data.metrics[name] = value
    },
    metadata(name, value) {
      if (typeof value === 'number') assertFinite(trajectoryId, `metadata "${name}"`, value)
      if (!isClosed) data.metadata[name] = value
    },
    log(text) {
      if (!isClosed) data.logs.push(text)
    },
    count(name, words) {
      count(name, 1)
      if (words !== undefined) data.logs.push(words)
    },
    join({ reward, metrics, counts, metadata, logs }) {
      data.reward = reward ?? data.reward
      Object.assign(data.metrics, metrics)
      Object.assign(data.metadata, metadata)
      data.logs.push(...logs)
      for (const [name, by] of Object.entries(counts)) count(name as CounterName, by)
    },
    close() {
      isClosed = true
    },
  }
}

function assertFinite(trajectoryId: string, name: string, value: number) {
  if (!Number.isFinite(value)) throw new TrajectoryMisuse(trajectoryId, `${name} must be a finite number, got ${String(value)}`)
}
