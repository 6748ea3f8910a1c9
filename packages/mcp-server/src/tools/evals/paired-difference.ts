/** Mean of differences within pairs, with what is known of its error. */
export interface PairedDifference {
  mean: number
  /** Ends of the interval that holds the true mean in 95 of 100 samples; null with fewer than two pairs. */
  interval: [low: number, high: number] | null
  /** `better` and `worse` where the interval does not hold 0. */
  verdict: 'better' | 'worse' | 'no evidence'
}

/** Student's t interval of the mean of paired differences, at 95 %. Pairs that do not differ at all have an interval of no width. */
export function pairedDifference(differences: readonly number[]): PairedDifference {
  const n = differences.length
  const mean = differences.reduce((sum, one) => sum + one, 0) / Math.max(n, 1)
  if (n < 2) return { mean, interval: null, verdict: 'no evidence' }
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1)
  const half = tQuantile(n - 1) * Math.sqrt(variance / n)
  const [low, high] = [mean - half, mean + half]
  return { mean, interval: [low, high], verdict: low > 0 ? 'better' : high < 0 ? 'worse' : 'no evidence' }
}

const z = 1.959_963_984_540_054

/** 0.975 quantile of Student's t; exact for 1 and 2 degrees of freedom, else the expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5). */
export function tQuantile(degrees: number): number {
  if (degrees === 1) return Math.tan(Math.PI * 0.475)
  if (degrees === 2) return 0.95 * Math.sqrt(2 / (1 - 0.95 ** 2))
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ]
  return terms.reduce((sum, term, at) => sum + term / degrees ** (at + 1), z)
}
