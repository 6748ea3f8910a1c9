import { v7 as newUuid } from 'uuid'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import type { Judge } from '../judging/ruler.ts'
import { TrajectoryMisuse } from '../misuse-error.ts'
import { createTrajectory, type OpenTrajectory } from '../trajectory/create-trajectory.ts'
import type { RecordedGroup } from '../trajectory/recorded.ts'
import type { Trajectory } from '../context/trajectory.ts'

export interface GroupOptions {
  /** Attempts at the task, 1 to 1,000. Default 8. */
  attempts?: number
  /** Most concurrent attempts. Default: all. */
  concurrency?: number
  /** Scalars that are known about the task, such as `scenario_id`. */
  metadata?: Readonly<Record<string, string | number | boolean | null>>
  /** Whether attempts that threw are trained on, with the reward they had, or 0. Default false: they only count as failed. */
  keepFailed?: boolean
  /** Scores the attempts against each other once all have ended: attempts then need no rewards. See `createRuler`. */
  judge?: Judge
}

/** Attempts at one task, whose rewards are compared. */
export interface Group {
  /** UUID, version 7. */
  readonly id: string
  /**
   * Runs `attempt` once for each attempt, each in its own context. One that throws is recorded as failed; the others continue.
   * @throws TrajectoryMisuse after all have ended, if one had no reward; JudgeFailed
   */
  run(attempt: (trajectory: Trajectory) => unknown): Promise<RecordedGroup>
  /** Begins one attempt for code that cannot be a function: finish it, or dispose of it. */
  start(): Trajectory
  /** The group as recorded so far. */
  recorded(): RecordedGroup
}

const maxAttempts = 1_000

export function createGroup(rolloutId: string, settings: CaptureSettings, options: GroupOptions): Group {
  const { attempts = 8, metadata = {}, keepFailed = false, judge } = options
  const { concurrency = attempts } = options
  checkWhole('attempts', attempts, maxAttempts)
  checkWhole('concurrency', concurrency, maxAttempts)
  const id = newUuid()
  const all: OpenTrajectory[] = []

  function start(): OpenTrajectory {
    const trajectory = createTrajectory({ groupId: id, rolloutId, attemptIndex: all.length, needsReward: judge === undefined }, settings)
    all.push(trajectory)
    return trajectory
  }

  function recorded(): RecordedGroup {
    const failed = all.filter(({ error }) => error !== undefined)
    return {
      trajectories: (keepFailed ? all : all.filter(({ error }) => error === undefined)).map((trajectory) => trajectory.recorded()),
      exceptions: failed.map(({ error }) => toException(error)),
      metadata: { ...metadata, group_id: id, rollout_id: rolloutId },
      metrics: {},
      logs: [],
    }
  }

  return {
    id,
    start,
    recorded,
    async run(attempt) {
      const misuses: unknown[] = []
      let left = attempts
      const work = async () => {
        while (left-- > 0) await runAttempt(start(), attempt).catch((error: unknown) => misuses.push(error))
      }
      await Promise.all(Array.from({ length: Math.min(concurrency, attempts) }, work))
      if (misuses.length > 0) throw misuses[0]
      return judge ? judge.score(recorded()) : recorded()
    },
  }
}

async function runAttempt(trajectory: OpenTrajectory, attempt: (trajectory: Trajectory) => unknown): Promise<void> {
  try {
    await trajectory.run(() => attempt(trajectory))
  } catch (error) {
    await trajectory.fail(error)
    if (error instanceof TrajectoryMisuse) throw error
    return
  }
  await trajectory.finish()
}

function toException(error: unknown): RecordedGroup['exceptions'][number] {
  if (error instanceof Error) return { type: error.name, message: error.message, traceback: error.stack ?? null }
  return { type: 'Error', message: String(error), traceback: null }
}

function checkWhole(name: string, value: number, max: number) {
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new RangeError(`${name} must be a whole number from 1 to ${max}, got ${String(value)}`)
}
