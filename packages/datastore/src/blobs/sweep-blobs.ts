import type { Micros } from '../micros.ts'
import { serverWork } from '../work/work-scope.ts'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { BlobDigest, Blobs } from './blobs.ts'

/** The lock key for storing a blob together with its relational row, and for deleting it. */
export const blobKey = (digest: BlobDigest) => `blob\0${digest}`

export interface BlobSweep {
  /** Must not be shared with another relational database: unreferenced blobs are deleted. */
  blobs: Blobs
  locks: KeyedLock
  /** Returns those digests that a relational row references. */
  findReferenced(digests: readonly BlobDigest[]): Promise<ReadonlySet<BlobDigest>>
  now: Micros
  /** Minimum age of an unreferenced blob or a staged upload to be deleted: longer than any request takes. */
  graceMicros: number
  /** Stops the sweep between two blobs. */
  signal?: AbortSignal
}

export interface SweptBlobs {
  examined: number
  deleted: number
  /** Staged uploads that were deleted. */
  unfinished: number
}

const batchSize = 500

/**
 * Deletes unreferenced blobs: their writers were killed before they stored a reference. A blob that is stored again meanwhile is kept, since its
 * writer holds the lock while it stores the blob and the reference.
 */
export async function sweepBlobs(sweep: BlobSweep): Promise<SweptBlobs> {
  const before = sweep.now - sweep.graceMicros
  const swept: SweptBlobs = { examined: 0, deleted: 0, unfinished: await sweep.blobs.sweepStaged(before) }
  for await (const batch of batches(oldBlobs(sweep, before, swept))) {
    const referenced = await sweep.findReferenced(batch)
    for (const digest of batch) {
      if (referenced.has(digest)) continue
      if (sweep.signal?.aborted) return swept
      if (await deleteOrphan(sweep, digest, before)) swept.deleted++
    }
  }
  return swept
}

async function* oldBlobs({ blobs, signal }: BlobSweep, before: Micros, swept: SweptBlobs): AsyncGenerator<BlobDigest> {
  for await (const { digest, keptAt } of blobs.list()) {
    if (signal?.aborted) return
    swept.examined++
    if (keptAt < before) yield digest
  }
}

async function* batches(digests: AsyncIterable<BlobDigest>): AsyncGenerator<BlobDigest[]> {
  let batch: BlobDigest[] = []
  for await (const digest of digests) {
    batch.push(digest)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Checks again under the lock, then deletes. */
function deleteOrphan({ blobs, locks, findReferenced }: BlobSweep, digest: BlobDigest, before: Micros): Promise<boolean> {
  return locks.withKeys(serverWork, [blobKey(digest)], async () => {
    const kept = await blobs.stat(digest)
    if (!kept || kept.keptAt >= before || (await findReferenced([digest])).has(digest)) return false
    await blobs.delete(digest)
    return true
  })
}
