import type { TrainingRunLimits } from './training-run.ts'

export interface RecoveryPace {
  /** Whether a recovery point is due before this step. */
  isDue(nextStep: number): boolean
  /** Notes what the last one took. */
  noteSaved(saved: { nextStep: number; startedAt: number; bytes: number }): void
}

/**
 * When a job saves a recovery point: after this many steps or this much time, whichever is earlier, but not before the previous recovery point has
 * been amortized, by its time and by its bytes. The cost of the first one is unknown in advance.
 */
export function createRecoveryPace(firstStep: number, limits: Omit<TrainingRunLimits, 'tokensAtATime'>, now: () => number): RecoveryPace {
  const { recoverySteps, recoveryMs, recoveryShare, recoveryBytesPerSecond } = limits
  let last = { step: firstStep, time: now(), pauseMs: 0 }
  return {
    isDue(nextStep) {
      const passedMs = now() - last.time
      return (nextStep - last.step >= recoverySteps || passedMs >= recoveryMs) && passedMs >= last.pauseMs
    },
    noteSaved({ nextStep, startedAt, bytes }) {
      const time = now()
      const byTime = (time - startedAt) * (1 / recoveryShare - 1)
      last = { step: nextStep, time, pauseMs: Math.max(byTime, (bytes / recoveryBytesPerSecond) * 1_000) }
    },
  }
}
