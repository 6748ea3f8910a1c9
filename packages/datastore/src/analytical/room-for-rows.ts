import { type DiskRoom, noDiskRoom, readDiskRoom } from '../disk-room.ts'
import { toFileFailure } from '../file-failure.ts'

const checkEveryMs = 1_000

/** What is about to be written. */
export interface WantedRoom {
  /** Bytes for the journal. */
  bytes: number
  /** Bytes in the journal, which will be written to their table as well. */
  journalBytes: number
}

/**
 * Refuses rows before the disk of `folder` is full. The function throws StoreError `full`, or what the disk says when it is asked.
 * While there is room it looks at the disk once a second, and counts what it let pass since.
 */
export function createRoomForRows(folder: string, now: () => number): (wanted: WantedRoom) => Promise<void> {
  let looking: Promise<DiskRoom> | undefined
  let lookedMs = -Infinity
  let passed = 0

  return async ({ bytes, journalBytes }) => {
    if (looking === undefined || now() - lookedMs >= checkEveryMs) {
      lookedMs = now()
      passed = 0
      looking = readDiskRoom(folder)
    }
    const room = await looking.catch((error: unknown) => {
      looking = undefined
      throw toFileFailure(error, 'journal')
    })
    passed += bytes
    if (room.free - 2 * passed - journalBytes >= room.reserve) return
    // The next write looks again: there may be room by then.
    looking = undefined
    throw noDiskRoom(room)
  }
}
