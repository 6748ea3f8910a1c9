import { toBins } from '../../../features/charts/histogram-bins.ts'

/** A bin of the values of several runs. */
export interface DistributionBin {
  /** The least and the greatest value in it, in any run. Undefined without a value. */
  values: { low: number; high: number } | undefined
  /** How many each run has. */
  counts: readonly number[]
}

export interface DistributionBins {
  bins: DistributionBin[]
  /** Ends of the axis where bins are equally wide ranges. Undefined where each is of one value. */
  ends: [low: number, high: number] | undefined
}

/** The bins of all runs together, so that their bars are next to each other. */
export function toDistribution(valuesByRun: readonly (readonly number[])[]): DistributionBins {
  const edges = toBins(valuesByRun.flat())
  const bins = edges.map(() => ({ low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, counts: valuesByRun.map(() => 0) }))
  for (const [run, values] of valuesByRun.entries())
    for (const value of values) {
      const bin =
        bins[
          Math.max(
            0,
            edges.findLastIndex(({ low }) => low <= value),
          )
        ]!
      bin.low = Math.min(bin.low, value)
      bin.high = Math.max(bin.high, value)
      bin.counts[run]!++
    }
  const [first, last] = [edges[0], edges.at(-1)]
  return {
    bins: bins.map(({ low, high, counts }) => ({ values: low > high ? undefined : { low, high }, counts })),
    ends: first && last && edges.some(({ low, high }) => low !== high) ? [first.low, last.high] : undefined,
  }
}
