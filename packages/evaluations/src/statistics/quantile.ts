/**
 * The value below which a share of sorted values lies, interpolated between the two next to it, as the service computes percentiles of latency. The values
 * are in ascending order, and not empty.
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1)
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}
