import { statfs } from 'node:fs/promises'
import { StoreError } from './analytical.ts'

/** Room that is left for deletes and merges: this many bytes, or this part of a smaller disk. */
const reserveBytes = 256 << 20
const reservePart = 0.05
const checkEveryMs = 1_000

/** What is about to be written. */
export interface WantedRoom {
  /** Bytes for the journal. */
  bytes: number
  /** Bytes in the journal, which will be written to their table as well. */
  journalBytes: number
}

/**
 * Refuses writes before the disk of `folder` is full, so that what was acknowledged can still be written to its table.
 * The function throws StoreError `full`. While there is room it looks at the disk once a second, and counts what it let pass since.
 */
export function createDiskRoom(folder: string, now: () => number): (wanted: WantedRoom) => Promise<void> {
  let looking: Promise<{ free: number; reserve: number }> | undefined
  let lookedMs = -Infinity
  let passed = 0

  async function look(): Promise<{ free: number; reserve: number }> {
    const { bsize, blocks, bavail } = await statfs(folder)
    return { free: bsize * bavail, reserve: Math.min(reserveBytes, bsize * blocks * reservePart) }
  }

  return async ({ bytes, journalBytes }) => {
    if (looking === undefined || now() - lookedMs >= checkEveryMs) {
      lookedMs = now()
      passed = 0
      looking = look()
    }
    const { free, reserve } = await looking
    passed += bytes
    if (free - 2 * passed - journalBytes >= reserve) return
    // The next write looks again: there may be room by then.
    looking = undefined
    throw new StoreError('full', `the disk of the store has ${inMiB(free)} MiB left, and writes must leave ${inMiB(reserve)} MiB free`, {
      retryAfterSeconds: 10,
    })
  }
}

function inMiB(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
