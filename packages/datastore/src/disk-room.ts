import { statfs } from 'node:fs/promises'
import { StoreError } from './analytical/analytical.ts'

/** Room that is left for deletes and merges: this many bytes, or this part of a smaller disk. */
const reserveBytes = 256 << 20
const reservePart = 0.05

/** Room on a disk, in bytes. */
export interface DiskRoom {
  free: number
  /** What writes must leave free, so that what was acknowledged can still be written to its table. */
  reserve: number
}

/** Room on the disk of a folder, which must be there. */
export async function readDiskRoom(folder: string): Promise<DiskRoom> {
  const { bsize, blocks, bavail } = await statfs(folder)
  return { free: bsize * bavail, reserve: Math.min(reserveBytes, bsize * blocks * reservePart) }
}

/** What a write is refused with. */
export function noDiskRoom({ free, reserve }: DiskRoom): StoreError {
  return new StoreError('full', `the disk of the store has ${inMiB(free)} MiB left, and writes must leave ${inMiB(reserve)} MiB free`, {
    retryAfterSeconds: 10,
  })
}

function inMiB(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
