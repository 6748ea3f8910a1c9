import { toBins } from './histogram-bins.ts'

/** A bin of the values of several runs: the least and greatest value in it, and how many each run has. */
export interface SharedBin {
  low: number
  high: number
  counts: readonly number[]
}

/** The bins of all runs together, so that their bars stand beside each other. Bins without a value are left out. */
export function toSharedBins(valuesByRun: readonly (readonly number[])[]): SharedBin[] {
  const bins = toBins(valuesByRun.flat())
  const shared = bins.map(() => ({ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, counts: valuesByRun.map(() => 0) }))
  for (const [run, values] of valuesByRun.entries())
    for (const value of values) {
      const bin = shared[binOf(bins, value)]!
      bin.low = Math.min(bin.low, value)
      bin.high = Math.max(bin.high, value)
      bin.counts[run]!++
    }
  return shared.filter(({ low, high }) => low <= high)
}

function binOf(bins: readonly { low: number; high: number }[], value: number): number {
  const at = bins.findLastIndex(({ low }) => low <= value)
  return Math.max(0, at)
}
