import type { Interval } from './interval.ts'
import { normalQuantile } from './normal-distribution.ts'

/**
 * The score interval of E. B. Wilson for a rate, without continuity correction ("Probable inference, the law of succession, and statistical
 * inference", JASA 22, 1927; method 3 of R. G. Newcombe, Statistics in Medicine 17:857, 1998). It lies within 0 and 1, and has
 * a width above 0 at rates of 0 and 1. Undefined without trials.
 */
export function wilsonInterval(count: { passed: number; trials: number }, confidence: number): Interval | undefined {
  const { passed, trials } = count
  if (trials === 0) return undefined
  const z = normalQuantile((1 + confidence) / 2)
  const rate = passed / trials
  const centre = rate + (z * z) / (2 * trials)
  const margin = z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials))
  const scale = 1 + (z * z) / trials
  // At the ends of the scale the formula is exact; floating point is not.
  return { low: passed === 0 ? 0 : (centre - margin) / scale, high: passed === trials ? 1 : (centre + margin) / scale }
}
