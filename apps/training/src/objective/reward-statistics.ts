/** 0 for none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The square root of the mean squared deviation; 0 for none. */
export function populationStdDev(values: readonly number[]): number {
  const centre = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)))
}

/** Logged statistics of the rewards of groups. Groups of one do not contribute to the deviation. */
export function rewardStatistics(groups: readonly (readonly number[])[]): { reward: number; rewardStdDev: number } {
  const compared = groups.filter((rewards) => rewards.length >= 2)
  return { reward: mean(groups.flat()), rewardStdDev: mean(compared.map(populationStdDev)) }
}
