export interface LearningRateSchedule {
  highest: number
  /** Optimizer steps of the whole run. */
  steps: number
  warmupSteps: number
  /** Share of the steps at the end during which the rate falls to a hundredth. */
  decayShare: number
}

/** Warm-up, a constant rate, linear decay (Hu et al. 2024, "WSD"): until the decay, a run is the beginning of any longer one. */
export function learningRateAt({ highest, steps, warmupSteps, decayShare }: LearningRateSchedule, step: number): number {
  if (step < warmupSteps) return (highest * (step + 1)) / warmupSteps
  const decaySteps = steps * decayShare
  return highest * Math.min(1, Math.max(0.01, (steps - step) / decaySteps))
}
