import { serverWork } from '../analytical/queries/work-scope.ts'
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
  /** True while somebody copies the store, in which all must stay that the copied rows name. */
  isHeld(): Promise<boolean>
  /** Stops between two blobs. */
  signal: AbortSignal
}

const batchSize = 100

/**
 * Removes the blobs that were released for it, unless something refers to them, and resolves to their number. A crash between leaves nothing behind: the note of a
 * blob goes after the blob. A writer that stores the same content holds the lock of the blob until its reference is there.
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
