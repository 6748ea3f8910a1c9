import type { Interval } from './interval.ts'
import { type PairedCounts, rowsOf } from './paired-counts.ts'
import { wilsonInterval } from './wilson-interval.ts'

/**
 * Interval for the rate of the second run minus that of the first, on the same rows: R. G. Newcombe, "Improved confidence intervals for
 * the difference between binomial proportions based on paired data", Statistics in Medicine 17:2635, 1998, method 10 (squares of the
 * distances to the Wilson limits are added, less their correlation). No point also where no row changed. Undefined without rows.
 */
export function pairedRateInterval(counts: PairedCounts, confidence: number): Interval | undefined {
  const trials = rowsOf(counts)
  const [passedFirst, passedSecond] = [counts.both + counts.onlyFirst, counts.both + counts.onlySecond]
  const first = wilsonInterval({ passed: passedFirst, trials }, confidence)
  const second = wilsonInterval({ passed: passedSecond, trials }, confidence)
  if (!first || !second) return undefined
  const [firstRate, secondRate] = [passedFirst / trials, passedSecond / trials]
  const correlation = correlationOf(counts)
  const combine = (one: number, other: number) => Math.sqrt(Math.max(0, one * one - 2 * correlation * one * other + other * other))
  return {
    low: Math.max(-1, secondRate - firstRate - combine(secondRate - second.low, first.high - firstRate)),
    high: Math.min(1, secondRate - firstRate + combine(second.high - secondRate, firstRate - first.low)),
  }
}

/** The phi coefficient, with Newcombe's correction for continuity where it is positive; 0 where a run passed all rows or none. */
function correlationOf(counts: PairedCounts): number {
  const { both, onlyFirst, onlySecond, neither } = counts
  const margins = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither)
  if (margins === 0) return 0
  const agreement = both * neither - onlyFirst * onlySecond
  return (agreement > 0 ? Math.max(0, agreement - rowsOf(counts) / 2) : agreement) / Math.sqrt(margins)
}
