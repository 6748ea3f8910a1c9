import { statfs } from 'node:fs/promises'
import { StoreError } from './work/store-error.ts'
import { toFileFailure } from './file-failure.ts'

const checkEveryMs = 1_000

/** Space reserved for deletes and merges: this many bytes, or this fraction of a smaller disk. */
const reserveBytes = 256 << 20
const reserveFraction = 0.05

/** Free space of a disk, in bytes. */
export interface DiskSpace {
  free: number
  /** Bytes that writes must leave free, so that acknowledged rows can still be written to their table. */
  reserve: number
}

/** Free space of the disk of an existing folder. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(folder)
  return { free: bsize * bavail, reserve: Math.min(reserveBytes, bsize * blocks * reserveFraction) }
}

export interface DiskSpaceOptions {
  /** An existing folder on the disk. */
  folder: string
  /** Monotonic clock in milliseconds. */
  now: () => number
  /** Default `readDiskSpace`. */
  read?: (folder: string) => Promise<DiskSpace>
}

/**
 * Rejects writes while less than the reserve is free, so that deletes and the rows of other stores still fit. The function throws
 * StoreError `full`. While there is space, it reads the free space once a second.
 */
export function createDiskSpaceCheck({ folder, now, read = readDiskSpace }: DiskSpaceOptions): () => Promise<void> {
  let checkedMs = -Infinity
  return async () => {
    if (now() - checkedMs < checkEveryMs) return
    const space = await read(folder).catch((error: unknown) => {
      throw toFileFailure(error, 'data folder')
    })
    if (space.free < space.reserve) throw diskFullError(space)
    checkedMs = now()
  }
}

/** The error of a write that would use the reserve. */
export function diskFullError({ free, reserve }: DiskSpace): StoreError {
  return new StoreError('full', `the disk of the store has ${inMiB(free)} MiB left, and writes must leave ${inMiB(reserve)} MiB free`, {
    retryAfterSeconds: 10,
  })
}

function inMiB(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
