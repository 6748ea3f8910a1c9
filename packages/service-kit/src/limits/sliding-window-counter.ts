const stepMs = 5_000
const steps = 12

/** Counts what happened in the last minute, to 5 s. */
export interface SlidingWindowCounter {
  /** Count of each step, at its number modulo `steps`. */
  counts: number[]
  /** The newest step. */
  step: number
}

export function createCounter(): SlidingWindowCounter {
  return { counts: Array.from({ length: steps }, () => 0), step: 0 }
}

export function count(counter: SlidingWindowCounter, nowMs: number, requests = 1): void {
  forgetOld(counter, nowMs)
  const at = counter.step % steps
  counter.counts[at] = (counter.counts[at] ?? 0) + requests
}

export function sumOf(counter: SlidingWindowCounter, nowMs: number): number {
  forgetOld(counter, nowMs)
  return counter.counts.reduce((sum, some) => sum + some, 0)
}

function forgetOld(counter: SlidingWindowCounter, nowMs: number): void {
  const step = Math.max(counter.step, Math.floor(nowMs / stepMs))
  for (let old = counter.step + 1; old <= Math.min(step, counter.step + steps); old++) counter.counts[old % steps] = 0
  counter.step = step
}
