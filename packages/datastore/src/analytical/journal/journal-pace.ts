import type { Timing } from '../../timing.ts'
import type { RecentBytes } from './recent-bytes.ts'

export interface JournalPaceOptions {
  /** Bytes in the journal now. */
  usedBytes(): number
  /** Bytes up to which no writer pauses. */
  easyBytes: number
  /** Capacity of the journal in bytes. */
  maxBytes: number
  /** Milliseconds that a writer pauses before a full journal. */
  longestMs: number
  /** Most bytes that may pause; writers beyond it do not pause. */
  maxPausingBytes: number
  /** What each tenant has written lately, to which every writer that comes is added here. */
  recent: RecentBytes
  timing: Timing
}

/**
 * Slows writers down as a journal fills, to the rate at which the table takes rows. Otherwise all of them would run until the journal is full, and
 * then block together until an insert has ended. Tenants pause in proportion to their recent writes: while one fills the journal, the others hardly
 * pause.
 */
export interface JournalPace {
  /** Pauses, where the journal is filling. */
  pause(tenant: string, bytes: number): Promise<void>
  /** Ends the pauses that the journal no longer needs, after it has become shorter. */
  release(): void
  /** Bytes whose writers pause. */
  readonly pausingBytes: number
}

const shortestMs = 1

export function createJournalPace({ usedBytes, easyBytes, maxBytes, recent, timing, ...options }: JournalPaceOptions): JournalPace {
  const pausing = new Set<() => void>()
  let pausingBytes = 0

  function lengthFor(tenant: string, bytes: number): number {
    const filled = (usedBytes() - easyBytes) / (maxBytes - easyBytes)
    if (filled <= 0 || pausingBytes + bytes > options.maxPausingBytes) return 0
    return Math.min(1, filled) * recent.shareOf(tenant) * options.longestMs
  }

  return {
    async pause(tenant, bytes) {
      recent.add(tenant, bytes)
      const ms = lengthFor(tenant, bytes)
      if (ms < shortestMs) return
      pausingBytes += bytes
      let end = () => {}
      const released = new Promise<void>((resolve) => (end = resolve))
      pausing.add(end)
      const cancel = timing.after(ms, end)
      await released
      cancel()
      pausing.delete(end)
      pausingBytes -= bytes
    },
    release() {
      if (usedBytes() > easyBytes) return
      for (const end of pausing) end()
    },
    get pausingBytes() {
      return pausingBytes
    },
  }
}
