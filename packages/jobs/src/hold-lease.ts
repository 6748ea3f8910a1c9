import type { Database, Timing } from '@heddle/datastore'
import { type AbortReason, JobAborted } from './handler.ts'
import type { LeasesStore } from './jobs-store.ts'
import type { Lease, Outcome } from './lease.ts'
import type { WorkerTimes } from './worker-times.ts'

const progressMs = 1_000
const settlePauseMs = 500

export interface HoldLeaseOptions {
  lease: Lease
  /** By the clock of `timing`, before the lease was asked for. */
  claimedAtMs: number
  store: LeasesStore
  clock: () => number
  timing: Timing
  times: WorkerTimes
  /** Called for each sign of life, and each attempt to settle, that the store failed. */
  onFault: (error: unknown) => void
}

/** A lease with its signs of life. It aborts its signal when the lease is lost, its job is to be cancelled, or its time is over. */
export interface HeldJobLease {
  readonly signal: AbortSignal
  /** Of the first abort. */
  readonly aborted: AbortReason | undefined
  abort(reason: AbortReason): void
  /** Resolves `abortMs` after the abort. */
  readonly overdue: Promise<void>
  /** Gives a sign of life soon, and so learns of a cancellation. */
  beatNow(): void
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
  let lastBeatMs = claimedAtMs
  let progress: string | undefined
  let isBeating = false
  let isClosed = false
  let setOverdue = () => {}
  const overdue = new Promise<void>((resolve) => {
    setOverdue = resolve
  })
  const cancelTimer: Record<'beat' | 'lapse' | 'overdue' | 'timeLimit', () => void> = {
    beat: () => {},
    lapse: () => {},
    overdue: () => {},
    timeLimit: timing.after(times.timeLimitMs, () => abort('time limit')),
  }

  function abort(reason: AbortReason): void {
    if (reason === 'lease lost') {
      cancelTimer.beat()
      cancelTimer.lapse()
    }
    // A lease that is lost while its handler ends for another reason is lost all the same.
    if (aborted === undefined || reason === 'lease lost') aborted = reason
    if (controller.signal.aborted || isClosed) return
    cancelTimer.overdue = timing.after(times.abortMs, setOverdue)
    controller.abort(new JobAborted(reason))
  }

  const isLost = () => aborted === 'lease lost'

  function expectBeatIn(ms: number): void {
    cancelTimer.beat()
    if (!isClosed && !isLost()) cancelTimer.beat = timing.after(ms, () => void beat())
  }

  function noteBeat(sentAtMs: number): void {
    lastBeatMs = sentAtMs
    cancelTimer.lapse()
    if (!isClosed && !isLost()) cancelTimer.lapse = timing.after(times.leaseMs - (timing.now() - lastBeatMs), () => abort('lease lost'))
  }

  async function beat(): Promise<void> {
    if (isBeating || isClosed) return
    isBeating = true
    const sentAtMs = timing.now()
    const sent = progress
    progress = undefined
    try {
      const answer = await store.beat(lease, sent)
      if (answer === null) abort('lease lost')
      else noteBeat(sentAtMs)
      if (answer?.isCancelRequested) abort('cancelled')
    } catch (error) {
      progress ??= sent
      onFault(error)
    } finally {
      isBeating = false
      expectBeatIn(progress === undefined ? times.beatMs : Math.min(progressMs, times.beatMs))
    }
  }

  async function trySettle(outcome: Outcome): Promise<boolean | undefined> {
    try {
      return await store.settle(lease, outcome, clock())
    } catch (error) {
      onFault(error)
      return timing.now() - lastBeatMs >= times.leaseMs ? false : undefined
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

  noteBeat(claimedAtMs)
  expectBeatIn(times.beatMs)
  return {
    signal: controller.signal,
    get aborted() {
      return aborted
    },
    abort,
    overdue,
    beatNow: () => expectBeatIn(0),
    report(text) {
      const isFirst = progress === undefined
      progress = text
      if (isFirst) expectBeatIn(Math.min(progressMs, times.beatMs))
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
        if (progress !== undefined) await beat()
        return outcome !== undefined && (await settle(outcome))
      } finally {
        isClosed = true
        for (const cancel of Object.values(cancelTimer)) cancel()
      }
    },
  }
}
