import type { TrialKey } from '../result-row.ts'

/** Puts keys together that started near each other: about `size` of them at a time, those of one start always, in the order of time. */
export function byTime<Key extends Pick<TrialKey, 'started_micros'>>(keys: readonly Key[], size: number): Key[][] {
  // Numbers alone are sorted in a fraction of the time that keys take, and there may be hundreds of thousands.
  const starts = Float64Array.from(keys, ({ started_micros }) => started_micros).sort()
  const firstStarts = starts.filter((_, at) => at % size === 0)
  const groups: Key[][] = Array.from(firstStarts, () => [])
  for (const key of keys) groups[lastNotAbove(firstStarts, key.started_micros)]?.push(key)
  return groups.filter((group) => group.length > 0)
}

/** Index of the last of the ordered numbers that is not above a value. */
function lastNotAbove(ordered: Float64Array, value: number): number {
  let low = 0
  let high = ordered.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (ordered[middle]! <= value) low = middle
    else high = middle
  }
  return low
}
