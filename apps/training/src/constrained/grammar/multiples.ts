/** The multiples of a number within bounds. */
export interface Multiples {
  /** Both included. */
  low: bigint
  high: bigint
  /** Above 0. */
  step: bigint
  /** Multiples that do not count, each once. */
  without: readonly bigint[]
}

export function countMultiples({ low, high, step, without }: Multiples): bigint {
  if (low > high) return 0n
  const all = floorDivide(high, step) - floorDivide(low - 1n, step)
  return all - BigInt(without.filter((value) => value >= low && value <= high).length)
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}
