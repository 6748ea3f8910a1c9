/** Consecutive parts of a list, each for one statement: with all values, it might block the thread for long, or have too many parameters. */
export function* inParts<T>(values: readonly T[], size = 500): Generator<T[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size)
}
