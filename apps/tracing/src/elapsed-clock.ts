import type { Micros } from '@heddle/datastore'

/** Milliseconds from 1 on that only grow, for what is remembered for a while: where the clock is set back, they stand still and go on. */
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
