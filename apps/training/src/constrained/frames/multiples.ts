interface Multiples {
  /** Both included. */
  from: bigint
  to: bigint
  /** Above 0. */
  step: bigint
  /** Multiples that do not count, each once. */
  without: readonly bigint[]
}

/** How many multiples of `step` there are between two numbers. */
export function countMultiples({ from, to, step, without }: Multiples): bigint {
  if (from > to) return 0n
  const all = floorDivide(to, step) - floorDivide(from - 1n, step)
  return all - BigInt(without.filter((value) => value >= from && value <= to).length)
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}
