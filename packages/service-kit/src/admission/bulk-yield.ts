import type { Flow } from './fair-queue.ts'

/**
 * Makes bulk flows yield the event loop to interactive ones. A flow is bulk while more of its requests wait behind the starting one, and interactive
 * while it sends one at a time.
 */
export interface BulkYield {
  /** A request of a flow starts in this tick. `hasMore`: more requests of the flow wait. */
  start(flow: Flow, hasMore: boolean): void
  /** The tick is over. */
  endTick(): void
  /** Milliseconds until requests may start that already waited when the last tick began; 0 if they may start now. */
  remainingMs(): number
  /** Whether a request that has waited since then may start now. */
  allows(sinceMs: number): boolean
}

export interface BulkYieldOptions {
  /** Milliseconds to yield for each millisecond of the tick before; 0 to never yield. */
  yieldRatio: number
  nowMs: () => number
}

/** Milliseconds for which an interactive flow is expected to return. */
const interactiveMs = 1_000
/** Upper bound of a yield: a tick that took longer was held up by something else. */
const maxYieldMs = 50

/**
 * No flow yields while all flows are bulk: they share the loop, and a pause would help none of them. It helps interactive flows, whose requests
 * each pass through the loop several times and would otherwise meet a tick of bulk work each time.
 */
export function createBulkYield({ yieldRatio, nowMs }: BulkYieldOptions): BulkYield {
  /** When interactive flows last started a request, the latest two of them. */
  let interactive: { name: string; atMs: number }[] = []
  let tick: { sinceMs: number; delaysOthers: boolean } | undefined
  let pause = { sinceMs: 0, untilMs: 0 }

  const remainingMs = () => Math.max(0, pause.untilMs - nowMs())
  const isBesideInteractive = (name: string, now: number) =>
    interactive.some((other) => other.name !== name && now - other.atMs < interactiveMs)

  return {
    start(flow, hasMore) {
      if (yieldRatio === 0) return
      const name = `${flow.caller}\0${flow.project}`
      const now = nowMs()
      tick ??= { sinceMs: now, delaysOthers: false }
      if (hasMore) tick.delaysOthers ||= isBesideInteractive(name, now)
      else interactive = [{ name, atMs: now }, ...interactive.filter((other) => other.name !== name).slice(0, 1)]
    },
    endTick() {
      const now = nowMs()
      if (tick?.delaysOthers) pause = { sinceMs: tick.sinceMs, untilMs: now + Math.min((now - tick.sinceMs) * yieldRatio, maxYieldMs) }
      tick = undefined
    },
    remainingMs,
    allows: (sinceMs) => sinceMs > pause.sinceMs || remainingMs() === 0,
  }
}
