import type { Micros, Timing } from '@heddle/datastore'
import { failedOutcome } from './decide-outcome.ts'
import { JobFailure } from './job-failure.ts'
import type { LeasesStore } from './jobs-store.ts'
import type { HeldLease } from './lease.ts'
import { looksOfLease } from './worker-times.ts'

export interface WatchLeasesOptions {
  store: LeasesStore
  clock: () => Micros
  timing: Timing
  lookMs: number
  /** Called for each job that was taken away, which another worker may start. */
  onTaken: () => void
  onFault: (error: unknown) => void
}

export interface LeaseWatch {
  /** Takes away all leases for which `isDead` is true, without waiting for them to lapse. */
  takeFrom(isDead: (owner: string | null) => boolean): Promise<void>
  stop(): Promise<void>
}

/**
 * Takes jobs from holders that give no sign of life. A lease has lapsed when its beat is the same at four looks after the first: no clock is
 * compared, so neither a jump of one nor two that differ take a lease away.
 */
export function watchLeases({ store, clock, timing, lookMs, onTaken, onFault }: WatchLeasesOptions): LeaseWatch {
  let seen = new Map<number, { lease: HeldLease; looks: number }>()
  let isStopped = false
  let cancelTimer = () => {}
  let looking = Promise.resolve()

  async function takeAway(lease: HeldLease): Promise<void> {
    const { attempt, maxAttempts } = lease
    const failure = new JobFailure(`its worker ended without finishing it (attempt ${attempt} of ${maxAttempts})`)
    const outcome = failedOutcome(failure, { attempt, maxAttempts, now: clock() }, timing)
    if (await store.takeAway(lease, outcome, clock())) onTaken()
  }

  async function look(): Promise<void> {
    const held = await store.listHeld()
    const before = seen
    seen = new Map()
    for (const lease of held) {
      const last = before.get(lease.number)
      const isSame = last?.lease.token === lease.token && last.lease.beat === lease.beat
      const looks = isSame ? last.looks + 1 : 0
      if (looks >= looksOfLease) await takeAway(lease)
      else seen.set(lease.number, { lease, looks })
    }
  }

  function lookLater(): void {
    if (isStopped) return
    cancelTimer = timing.after(lookMs, () => {
      looking = look().catch(onFault).then(lookLater)
    })
  }

  lookLater()
  return {
    async takeFrom(isDead) {
      for (const lease of await store.listHeld()) if (isDead(lease.owner)) await takeAway(lease)
    },
    async stop() {
      isStopped = true
      cancelTimer()
      await looking
    },
  }
}
