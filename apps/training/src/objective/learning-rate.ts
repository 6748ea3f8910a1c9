/** The mean of `reward_std_dev` that was recorded for a step of a model. */
export interface RewardDeviation {
  step: number
  rewardStdDev: number
}

/**
 * How much of the first deviation of rewards is left, by the least-squares line through the history: its value at the last step divided by that at
 * step 0. 1 with fewer than two steps, or where the line does not start above 0; never below 0.
 */
export function deviationMultiplier(history: readonly RewardDeviation[]): number {
  const last = Math.max(...history.map(({ step }) => step))
  const line = leastSquares(history)
  if (line === null || !(line.intercept > 0)) return 1
  return Math.max((line.intercept + line.slope * last) / line.intercept, 0)
}

/** For the number of trajectories of a row, at least 1. A power of 0 gives 1. */
export function trajectoriesMultiplier(trajectories: number, power: number): number {
  return Math.max(trajectories, 1) ** power
}

/**
 * Share of a full step for the rest of a job, which fills no row or batch: its tokens relative to the mean of the full ones; at most 1, and 1 if
 * there are none. An optimizer that divides by the size of past gradients, after clipping, makes as long a step for a few tokens as for thousands, so
 * the step itself is shortened.
 */
export function shareOfStep(tokens: number, full: readonly number[]): number {
  const sum = full.reduce((total, each) => total + each, 0)
  return sum === 0 ? 1 : Math.min(1, (tokens * full.length) / sum)
}

function leastSquares(history: readonly RewardDeviation[]): { slope: number; intercept: number } | null {
  const count = history.length
  const stepMean = history.reduce((sum, { step }) => sum + step, 0) / count
  const valueMean = history.reduce((sum, { rewardStdDev }) => sum + rewardStdDev, 0) / count
  let products = 0
  let squares = 0
  for (const { step, rewardStdDev } of history) {
    products += (step - stepMean) * (rewardStdDev - valueMean)
    squares += (step - stepMean) ** 2
  }
  if (!(squares > 0)) return null
  const slope = products / squares
  return { slope, intercept: valueMean - slope * stepMean }
}

const schedules = ['constant', 'linear', 'cosine'] as const
/** How the learning rate falls over a job: not, in a line to 0, or in a half cosine to 0 (SGDR, Loshchilov and Hutter 2017). */
export type Schedule = (typeof schedules)[number]

/**
 * Share of the learning rate for a gradient step, from 0, of a job of `total` steps. It first rises in a line over the share `warmup` of the steps; what
 * falls reaches 0 after the last step.
 */
export function scheduleShare(step: number, total: number, { schedule, warmup }: { schedule: Schedule; warmup: number }): number {
  const rising = Math.round(warmup * total)
  if (step < rising) return (step + 1) / (rising + 1)
  const passed = (step - rising) / Math.max(total - rising, 1)
  if (schedule === 'linear') return 1 - passed
  return schedule === 'cosine' ? (1 + Math.cos(Math.PI * passed)) / 2 : 1
}
