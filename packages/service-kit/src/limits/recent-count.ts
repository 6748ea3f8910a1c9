const stepMs = 5_000
const steps = 12

/** How much there was in the last minute, to 5 s. */
export interface RecentCount {
  /** By the number of their step, modulo how many there are. */
  counts: number[]
  /** The step that was counted last. */
  step: number
}

export function noneYet(): RecentCount {
  return { counts: Array.from({ length: steps }, () => 0), step: 0 }
}

export function count(recent: RecentCount, nowMs: number, requests = 1): void {
  forgetOld(recent, nowMs)
  const at = recent.step % steps
  recent.counts[at] = (recent.counts[at] ?? 0) + requests
}

export function sumOf(recent: RecentCount, nowMs: number): number {
  forgetOld(recent, nowMs)
  return recent.counts.reduce((sum, some) => sum + some, 0)
}

function forgetOld(recent: RecentCount, nowMs: number): void {
  const step = Math.max(recent.step, Math.floor(nowMs / stepMs))
  for (let old = recent.step + 1; old <= Math.min(step, recent.step + steps); old++) recent.counts[old % steps] = 0
  recent.step = step
}
