import type { TrainingSession } from '../engine/engine.ts'
import type { RunningSums } from './running-means.ts'
import type { HeldOutLoss } from './sft/held-out.ts'

/** Progress of a job: JSON, kept with the state of its session. */
export interface TrainingPosition {
  /** The first gradient step that is not in the weights; 0 for the first of the job. */
  nextStep: number
  /** Consecutive gradient steps just before this one that were skipped because of non-finite numbers. */
  skippedInARow: number
  skipped: number
  sums: RunningSums
  /** Loss on held-out examples, if the job has any. */
  heldOut?: HeldOutLoss
}

/** One gradient step that was made, or skipped. */
export interface GradientStep {
  /** From 0. A job that continues from a recovery point repeats some, with the same values. */
  index: number
  total: number
  /** By the names on the wire; finite. */
  metrics: Record<string, number>
  /** The recovery point between the previous step and this one: its bytes, and how long training waited for it. Absent if there was none. */
  saved?: { bytes: number; seconds: number }
}

export interface TrainingHooks {
  /** After each gradient step, in order. Training waits for it. */
  onGradientStep(step: GradientStep): Promise<void> | void
  /** Keeps the session and the position together, to resume from. Resolves to the number of bytes kept. */
  saveRecoveryPoint(position: TrainingPosition): Promise<number>
  /** Keeps the weights of the session as the best so far, instead of earlier ones. */
  keepBest(): Promise<void>
}

export interface TrainingRunOptions {
  session: TrainingSession
  /** Where an earlier attempt got to; null begins. */
  position: TrainingPosition | null
  hooks: TrainingHooks
  /** Aborts between the parts of a step. The weights in the session are then of no use. */
  signal: AbortSignal
  limits?: Partial<TrainingRunLimits>
  /** Milliseconds, of any origin. Default: a monotonic clock. */
  now?: () => number
}

export interface TrainingRunLimits {
  /** Tokens sent to the engine at a time, unless one sequence has more. */
  tokensAtATime: number
  /** Gradient steps between recovery points. */
  recoverySteps: number
  /** Milliseconds between recovery points, if that is earlier. */
  recoveryMs: number
  /** Largest share of a job's time that is spent on recovery points: after a slow one, training runs longer until the next. */
  recoveryShare: number
  /** Bytes of recovery points that are written for each second of training at most: after a large one more is trained until the next. */
  recoveryBytesPerSecond: number
}

export const trainingRunLimits: TrainingRunLimits = {
  tokensAtATime: 2048,
  recoverySteps: 50,
  recoveryMs: 20_000,
  recoveryShare: 0.05,
  recoveryBytesPerSecond: 8 * 2 ** 20,
}

export interface TrainingOutcome {
  /** Gradient steps of the job, including skipped ones. */
  steps: number
  /** Skipped because of numbers that are not finite. */
  skipped: number
  /** Whether the weights that `keepBest` kept last are the result, and not those of the session. */
  isBestKept: boolean
  /** Means over all gradient steps, by the names on the wire. */
  metrics: Record<string, number>
}
