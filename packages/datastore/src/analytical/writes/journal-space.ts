import { type DiskSpace, diskFullError, readDiskSpace } from '../../disk-space.ts'
import { toFileFailure } from '../../file-failure.ts'

const checkEveryMs = 1_000

export interface JournalSpaceOptions {
  /** Folder of the journals. */
  folder: string
  /** Monotonic clock in milliseconds. */
  now: () => number
  /** Bytes in the journals of all tables or queued for them: they will all be written to their tables as well. */
  waitingBytes: () => number
}

/**
 * Rejects rows before the disk is full. The function takes the size of a block, and throws StoreError `full`, or the error of the file system.
 * While there is space, it reads the free space once a second and subtracts what it admitted since.
 */
export function createJournalSpaceCheck({ folder, now, waitingBytes }: JournalSpaceOptions): (bytes: number) => Promise<void> {
  let reading: Promise<DiskSpace> | undefined
  let readMs = -Infinity
  let admitted = 0

  return async (bytes) => {
    if (reading === undefined || now() - readMs >= checkEveryMs) {
      readMs = now()
      admitted = 0
      reading = readDiskSpace(folder)
    }
    const space = await reading.catch((error: unknown) => {
      reading = undefined
      throw toFileFailure(error, 'journal')
    })
    admitted += bytes
    // Twice: rows take space in the journal, and again in their table.
    if (space.free - 2 * admitted - waitingBytes() >= space.reserve) return
    // The next write reads again: there may be space then.
    reading = undefined
    throw diskFullError(space)
  }
}
