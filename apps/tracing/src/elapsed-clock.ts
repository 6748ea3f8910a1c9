import type { Micros } from '@heddle/datastore'

/** Monotonic milliseconds from 1 on, for caches with expiry: if the clock is set back, they pause and then continue. */
export function elapsedMs(clock: () => Micros): () => number {
  let last = clock()
  let elapsed = 1_000
  return () => {
    const now = clock()
    if (now > last) elapsed += now - last
    last = now
    return elapsed / 1_000
  }
}
