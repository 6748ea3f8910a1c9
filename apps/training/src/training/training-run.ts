import type { TrainingSession } from '../engine/engine.ts'
import type { RunningSums } from './running-means.ts'

/** How far a job is: JSON, kept beside the state of the session that it belongs to. */
export interface TrainingPosition {
  /** The first gradient step that is not in the weights; 0 for the first of the job. */
  nextStep: number
  /** Gradient steps just before that were left out because of numbers that are not finite. */
  skippedInARow: number
  skipped: number
  sums: RunningSums
}

/** One gradient step that was made, or left out. */
export interface GradientStep {
  /** From 0. A job that continues from a recovery point repeats some, with the same values. */
  index: number
  total: number
  /** By the names on the wire; finite. */
  metrics: Record<string, number>
  /** The recovery point between the step before and this one: its bytes, and how long training waited for it. Absent where there was none. */
  saved?: { bytes: number; seconds: number }
}

export interface TrainingHooks {
  /** After each gradient step, in order. Training waits for it. */
  onGradientStep(step: GradientStep): Promise<void> | void
  /** Keeps the session and the position together, to go on from. Resolves to the bytes that were kept. */
  saveRecoveryPoint(position: TrainingPosition): Promise<number>
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
  /** Tokens that go to the engine at a time, unless one sequence has more. */
  tokensAtATime: number
  /** Gradient steps between recovery points. */
  recoverySteps: number
  /** Milliseconds between recovery points, if that is earlier. */
  recoveryMs: number
  /** Of the time of a job, that is spent on recovery points at most: after a slow one more is trained until the next. */
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
  /** Gradient steps of the job, those that were left out included. */
  steps: number
  /** Left out because of numbers that are not finite. */
  skipped: number
  /** Means over all gradient steps, by the names on the wire. */
  metrics: Record<string, number>
}
