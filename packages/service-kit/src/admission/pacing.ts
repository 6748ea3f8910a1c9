import { type BulkYield, createBulkYield } from './bulk-yield.ts'
import type { EventLoopTicks } from './event-loop-ticks.ts'
import type { Flow } from './fair-queue.ts'

export interface PacingLimits {
  /** Further requests start in the same tick of the event loop until those started in it weigh this many bytes. */
  tickBytes: number
  /** Milliseconds that bulk flows yield for each millisecond of their tick while interactive flows are about; 0 to never yield. */
  yieldRatio: number
}

export interface PacingOptions {
  limits: PacingLimits
  nowMs: () => number
  ticks: EventLoopTicks
  /** Called when requests may start that could not before: on a new tick, and at the end of a yield. */
  onReady: () => void
}

/** Spreads the start of requests over ticks of the event loop. */
export interface Pacing extends Pick<BulkYield, 'allows'> {
  /** Whether one more request may start in this tick. */
  hasCapacity(): boolean
  /** Counts a request that starts. `hasMore`: more requests of its flow wait. */
  start(flow: Flow, weight: number, hasMore: boolean): void
}

export function createPacing({ limits, nowMs, ticks, onReady }: PacingOptions): Pacing {
  const bulkYield = createBulkYield({ yieldRatio: limits.yieldRatio, nowMs })
  let bytesInTick = 0
  let timer: NodeJS.Timeout | undefined

  /**
   * Resumes now, and again at the end of a yield. Timers of the runtime may fire early. The rest of the yield is read before the queue is: a
   * yield that ends while the queue looks would otherwise leave those it held back without a timer.
   */
  function resume(): void {
    const remainingMs = bulkYield.remainingMs()
    onReady()
    if (remainingMs === 0 || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      resume()
    }, Math.ceil(remainingMs))
  }

  function endTick(): void {
    bytesInTick = 0
    bulkYield.endTick()
    resume()
  }

  return {
    hasCapacity: () => bytesInTick < limits.tickBytes,
    start(flow, weight, hasMore) {
      bulkYield.start(flow, hasMore)
      if (bytesInTick === 0) ticks.next(endTick)
      bytesInTick += weight
    },
    allows: bulkYield.allows,
  }
}
