import { serverWork } from '../work/work-scope.ts'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { RelationalStore } from '../relational/database.ts'
import type { BlobDigest, Blobs } from './blobs.ts'
import { blobKey } from './sweep-blobs.ts'

export interface ReleasedBlobs {
  /** Must not be shared with another relational database. */
  blobs: Blobs
  locks: KeyedLock
  database: RelationalStore
  /** Returns those digests that a relational row references. */
  findReferenced(digests: readonly BlobDigest[]): Promise<ReadonlySet<BlobDigest>>
  /** True while the store is being copied, so that everything the copied rows reference must be kept. */
  isHeld(): Promise<boolean>
  /** Stops between two blobs. */
  signal: AbortSignal
}

const batchSize = 100

/**
 * Removes the released blobs, unless something refers to them, and resolves to their number. A crash in between leaves nothing behind: the note of a
 * blob is deleted after the blob. A writer that stores the same content holds the lock of the blob until its reference is stored.
 */
export async function removeReleased({ blobs, locks, database, findReferenced, isHeld, signal }: ReleasedBlobs): Promise<number> {
  const notes = database.of(serverWork)
  let removed = 0
  const removeOne = (digest: BlobDigest) =>
    locks.withKeys({ signal }, [blobKey(digest)], async () => {
      const isReferenced = (await findReferenced([digest])).has(digest)
      if (!isReferenced) await blobs.delete(digest)
      await notes.deleteFrom('released_blobs').where('sha256', '=', digest).execute()
      if (!isReferenced) removed++
    })
  for (let more = true; more;) {
    const batch = await notes.selectFrom('released_blobs').select('sha256').orderBy('sha256').limit(batchSize).execute()
    for (const { sha256 } of batch) {
      if (signal.aborted || (await isHeld())) return removed
      await removeOne(sha256)
    }
    more = batch.length === batchSize
  }
  return removed
}
