import { type DiskSpace, diskFullError, readDiskSpace } from '../disk-space.ts'
import { toFileFailure } from '../file-failure.ts'

const checkEveryMs = 1_000

export interface JournalSpaceOptions {
  /** Folder of the journals. */
  folder: string
  /** Milliseconds of a clock that only goes forward. */
  now: () => number
  /** Bytes in the journals of all tables, and of those that wait for room there: all of them will be written to their tables as well. */
  waitingBytes: () => number
}

/**
 * Refuses rows before the disk is full: the function takes the bytes of a block, and throws StoreError `full`, or what the disk says when it is asked.
 * While there is room it looks at the disk once a second, and counts what it let pass since.
 */
export function createJournalSpaceCheck({ folder, now, waitingBytes }: JournalSpaceOptions): (bytes: number) => Promise<void> {
  let looking: Promise<DiskSpace> | undefined
  let lookedMs = -Infinity
  let passed = 0

  return async (bytes) => {
    if (looking === undefined || now() - lookedMs >= checkEveryMs) {
      lookedMs = now()
      passed = 0
      looking = readDiskSpace(folder)
    }
    const room = await looking.catch((error: unknown) => {
      looking = undefined
      throw toFileFailure(error, 'journal')
    })
    passed += bytes
    if (room.free - 2 * passed - waitingBytes() >= room.reserve) return
    // The next write looks again: there may be room by then.
    looking = undefined
    throw diskFullError(room)
  }
}
