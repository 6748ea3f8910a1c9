import type { Database, Timing } from '@heddle/datastore'
import { type AbortReason, JobAborted } from '../handler.ts'
import type { LeasesStore } from '../store/jobs-store.ts'
import type { Lease, Outcome } from '../store/lease.ts'
import type { WorkerTimes } from './worker-times.ts'

const progressMs = 1_000
const settlePauseMs = 500

export interface HoldLeaseOptions {
  lease: Lease
  /** By the clock of `timing`, before the lease was requested. */
  claimedAtMs: number
  store: LeasesStore
  clock: () => number
  timing: Timing
  times: WorkerTimes
  /** Called for each heartbeat, and each attempt to settle, that the store failed. */
  onFault: (error: unknown) => void
}

/** A lease with its heartbeats. It aborts its signal when the lease is lost, its job is to be cancelled, or its time is over. */
export interface HeldJobLease {
  readonly signal: AbortSignal
  /** Reason of the first abort. */
  readonly aborted: AbortReason | undefined
  abort(reason: AbortReason): void
  /** Resolves `graceMs` after the abort. */
  readonly graceOver: Promise<void>
  /** Sends a heartbeat soon, and so learns of a cancellation. */
  heartbeatNow(): void
  /** Stores progress, as JSON text, within a second. */
  report(progress: string): void
  saveState(state: string): Promise<void>
  commit<T>(work: (transaction: Database) => Promise<T>): Promise<T>
  /** Ends the lease; tries again while it is held. False when it is lost. Then no timer is left. */
  settle(outcome: Outcome | undefined): Promise<boolean>
}

export function holdLease({ lease, claimedAtMs, store, clock, timing, times, onFault }: HoldLeaseOptions): HeldJobLease {
  const controller = new AbortController()
  let aborted: AbortReason | undefined
  let lastHeartbeatMs = claimedAtMs
  let progress: string | undefined
  let isSending = false
  let isClosed = false
  let endGrace = () => {}
  const graceOver = new Promise<void>((resolve) => {
    endGrace = resolve
  })
  const cancelTimer: Record<'heartbeat' | 'expiry' | 'graceOver' | 'timeLimit', () => void> = {
    heartbeat: () => {},
    expiry: () => {},
    graceOver: () => {},
    timeLimit: timing.after(times.timeLimitMs, () => abort('time limit')),
  }

  function abort(reason: AbortReason): void {
    if (reason === 'lease lost') {
      cancelTimer.heartbeat()
      cancelTimer.expiry()
    }
    // A lease that is lost while its handler ends for another reason is lost all the same.
    if (aborted === undefined || reason === 'lease lost') aborted = reason
    if (controller.signal.aborted || isClosed) return
    cancelTimer.graceOver = timing.after(times.graceMs, endGrace)
    controller.abort(new JobAborted(reason))
  }

  const isLost = () => aborted === 'lease lost'

  function scheduleHeartbeat(ms: number): void {
    cancelTimer.heartbeat()
    if (!isClosed && !isLost()) cancelTimer.heartbeat = timing.after(ms, () => void heartbeat())
  }

  function noteHeartbeat(sentAtMs: number): void {
    lastHeartbeatMs = sentAtMs
    cancelTimer.expiry()
    if (!isClosed && !isLost())
      cancelTimer.expiry = timing.after(times.leaseMs - (timing.now() - lastHeartbeatMs), () => abort('lease lost'))
  }

  async function heartbeat(): Promise<void> {
    if (isSending || isClosed) return
    isSending = true
    const sentAtMs = timing.now()
    const sent = progress
    progress = undefined
    try {
      const answer = await store.heartbeat(lease, sent)
      if (answer === null) abort('lease lost')
      else noteHeartbeat(sentAtMs)
      if (answer?.isCancelRequested) abort('cancelled')
    } catch (error) {
      progress ??= sent
      onFault(error)
    } finally {
      isSending = false
      scheduleHeartbeat(progress === undefined ? times.heartbeatMs : Math.min(progressMs, times.heartbeatMs))
    }
  }

  async function trySettle(outcome: Outcome): Promise<boolean | undefined> {
    try {
      return await store.settle(lease, outcome, clock())
    } catch (error) {
      onFault(error)
      return timing.now() - lastHeartbeatMs >= times.leaseMs ? false : undefined
    }
  }

  async function settle(outcome: Outcome): Promise<boolean> {
    for (;;) {
      const isSettled = await trySettle(outcome)
      if (isSettled !== undefined) return isSettled
      await new Promise<void>((resolve) => void timing.after(settlePauseMs, resolve))
    }
  }

  function lost(): JobAborted {
    abort('lease lost')
    return new JobAborted('lease lost')
  }

  noteHeartbeat(claimedAtMs)
  scheduleHeartbeat(times.heartbeatMs)
  return {
    signal: controller.signal,
    get aborted() {
      return aborted
    },
    abort,
    graceOver,
    heartbeatNow: () => scheduleHeartbeat(0),
    report(text) {
      const isFirst = progress === undefined
      progress = text
      if (isFirst) scheduleHeartbeat(Math.min(progressMs, times.heartbeatMs))
    },
    async saveState(state) {
      if (!(await store.saveState(lease, state))) throw lost()
    },
    async commit(work) {
      const done = await store.commit(lease, work)
      if (!done) throw lost()
      return done.value
    },
    async settle(outcome) {
      try {
        if (progress !== undefined) await heartbeat()
        return outcome !== undefined && (await settle(outcome))
      } finally {
        isClosed = true
        for (const cancel of Object.values(cancelTimer)) cancel()
      }
    },
  }
}
