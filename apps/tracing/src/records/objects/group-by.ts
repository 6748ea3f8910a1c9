/** The values by key, each group in the given order. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    const same = groups.get(key)
    if (same === undefined) groups.set(key, [value])
    else same.push(value)
  }
  return groups
}
