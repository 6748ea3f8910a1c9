/** Relative to the largest reward, at least 1: sums of the same parts in another order differ by less. */
const tolerance = 1e-12

/**
 * Whether rewards of a group are the same except for rounding, such as 0.1 + 0.2 and 0.3: no reward is better than another then, and training learns
 * nothing from the group. True for one reward and for none.
 */
export function areEqualRewards(rewards: readonly number[]): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const reward of rewards) {
    least = Math.min(least, reward)
    most = Math.max(most, reward)
  }
  return rewards.length < 2 || most - least <= roundingOf(Math.max(Math.abs(least), Math.abs(most)))
}

/** Largest difference that rounding alone can cause between rewards of this size. */
export function roundingOf(size: number): number {
  return tolerance * Math.max(1, size)
}
