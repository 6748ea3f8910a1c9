export interface Percentiles {
  p50: number
  p95: number
  p99: number
  max: number
}

/** Nearest-rank percentiles; 0 of no values. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** Three figures that count. */
export function round(value: number): number {
  return Number(value.toPrecision(3))
}
