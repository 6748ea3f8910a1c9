import type { Micros, Timing } from '@heddle/datastore'
import { failedOutcome } from './decide-outcome.ts'
import { JobFailure } from '../job-failure.ts'
import type { LeasesStore } from '../store/jobs-store.ts'
import type { HeldLease } from '../store/lease.ts'
import { checksPerLease } from './worker-times.ts'

export interface WatchLeasesOptions {
  store: LeasesStore
  clock: () => Micros
  timing: Timing
  checkMs: number
  /** Called for each job that was taken away, which another worker may start. */
  onExpired: () => void
  onFault: (error: unknown) => void
}

export interface LeaseWatch {
  /** Takes away all leases for which `isDead` is true, without waiting for their checks. */
  expireWhere(isDead: (owner: string | null) => boolean): Promise<void>
  stop(): Promise<void>
}

/**
 * Ends the leases of holders that send no heartbeats. A lease has expired if its heartbeat is the same at four checks after the first: no clocks are
 * compared, so a jump of a clock, or a difference between two, takes no lease away.
 */
export function watchLeases({ store, clock, timing, checkMs, onExpired, onFault }: WatchLeasesOptions): LeaseWatch {
  let seen = new Map<number, { lease: HeldLease; checks: number }>()
  let isStopped = false
  let cancelTimer = () => {}
  let checking = Promise.resolve()

  async function expire(lease: HeldLease): Promise<void> {
    const { attempt, maxAttempts } = lease
    const failure = new JobFailure(`its worker ended without finishing it (attempt ${attempt} of ${maxAttempts})`)
    const outcome = failedOutcome(failure, { attempt, maxAttempts, now: clock() }, timing)
    if (await store.expire(lease, outcome, clock())) onExpired()
  }

  async function checkLeases(): Promise<void> {
    const held = await store.listHeld()
    const before = seen
    seen = new Map()
    for (const lease of held) {
      const last = before.get(lease.number)
      const isSame = last?.lease.token === lease.token && last.lease.heartbeat === lease.heartbeat
      const checks = isSame ? last.checks + 1 : 0
      if (checks >= checksPerLease) await expire(lease)
      else seen.set(lease.number, { lease, checks })
    }
  }

  function checkLater(): void {
    if (isStopped) return
    cancelTimer = timing.after(checkMs, () => {
      checking = checkLeases().catch(onFault).then(checkLater)
    })
  }

  checkLater()
  return {
    async expireWhere(isDead) {
      for (const lease of await store.listHeld()) if (isDead(lease.owner)) await expire(lease)
    },
    async stop() {
      isStopped = true
      cancelTimer()
      await checking
    },
  }
}
