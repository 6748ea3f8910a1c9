import type { Flow } from './fair-queue.ts'

/** Pauses between the turns of flows that always have more, so that those who come now and then find the event loop free. */
export interface Rests {
  /** Work of a flow begins in this turn of the event loop. `hasMore`: others of the flow wait. */
  begin(flow: Flow, hasMore: boolean): void
  /** The turn is over. */
  endTurn(): void
  /** Milliseconds until those may go on who waited when the last turn began; 0 for at once. */
  leftMs(): number
  /** Whether one that waits since then may begin now. */
  allows(sinceMs: number): boolean
}

export interface RestsOptions {
  /** Milliseconds of rest for each millisecond of the turn before it; 0 for none. */
  restShare: number
  nowMs: () => number
}

/** Milliseconds for which a flow that came and went is expected again. */
const expectedMs = 1_000
/** A turn that took longer was held up by something else. */
const longestRestMs = 50

/**
 * Nobody rests while all flows have more: then the loop is shared among them, and a rest would serve no one. It is for those whose
 * requests come one at a time: each passes through the loop several times, and would meet a turn of the others each time.
 */
export function createRests({ restShare, nowMs }: RestsOptions): Rests {
  /** When flows last came that had nothing else waiting, the latest two of them. */
  let modest: { name: string; atMs: number }[] = []
  let turn: { sinceMs: number; isShared: boolean } | undefined
  let rest = { sinceMs: 0, untilMs: 0 }

  const leftMs = () => Math.max(0, rest.untilMs - nowMs())
  const isBesideOthers = (name: string, now: number) => modest.some((other) => other.name !== name && now - other.atMs < expectedMs)

  return {
    begin(flow, hasMore) {
      if (restShare === 0) return
      const name = `${flow.caller}\0${flow.project}`
      const now = nowMs()
      turn ??= { sinceMs: now, isShared: false }
      if (hasMore) turn.isShared ||= isBesideOthers(name, now)
      else modest = [{ name, atMs: now }, ...modest.filter((other) => other.name !== name).slice(0, 1)]
    },
    endTurn() {
      const now = nowMs()
      if (turn?.isShared) rest = { sinceMs: turn.sinceMs, untilMs: now + Math.min((now - turn.sinceMs) * restShare, longestRestMs) }
      turn = undefined
    },
    leftMs,
    allows: (sinceMs) => sinceMs > rest.sinceMs || leftMs() === 0,
  }
}
