import { statfs } from 'node:fs/promises'
import { StoreError } from './analytical/analytical.ts'
import { toFileFailure } from './file-failure.ts'

const checkEveryMs = 1_000

/** Room that is left for deletes and merges: this many bytes, or this part of a smaller disk. */
const reserveBytes = 256 << 20
const reservePart = 0.05

/** Room on a disk, in bytes. */
export interface DiskSpace {
  free: number
  /** What writes must leave free, so that what was acknowledged can still be written to its table. */
  reserve: number
}

/** Room on the disk of a folder, which must be there. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(folder)
  return { free: bsize * bavail, reserve: Math.min(reserveBytes, bsize * blocks * reservePart) }
}

export interface DiskSpaceOptions {
  /** A folder on the disk, which must be there. */
  folder: string
  /** Milliseconds of a clock that only goes forward. */
  now: () => number
}

/**
 * Refuses whatever adds data while less than the reserve is free, so that deletes and the rows of other stores have it. The function throws
 * StoreError `full`. While there is room it looks at the disk once a second.
 */
export function createDiskSpaceCheck({ folder, now }: DiskSpaceOptions): () => Promise<void> {
  let checkedMs = -Infinity
  return async () => {
    if (now() - checkedMs < checkEveryMs) return
    const room = await readDiskSpace(folder).catch((error: unknown) => {
      throw toFileFailure(error, 'data folder')
    })
    if (room.free < room.reserve) throw diskFullError(room)
    checkedMs = now()
  }
}

/** What a write is refused with. */
export function diskFullError({ free, reserve }: DiskSpace): StoreError {
  return new StoreError('full', `the disk of the store has ${inMiB(free)} MiB left, and writes must leave ${inMiB(reserve)} MiB free`, {
    retryAfterSeconds: 10,
  })
}

function inMiB(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
