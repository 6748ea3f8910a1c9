import type { Micros } from '../analytical/table.ts'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { BlobDigest, Blobs } from './blobs.ts'

/** The key under which a blob is kept together with its record, and under which it is deleted. */
export const blobKey = (digest: BlobDigest) => `blob\0${digest}`

export interface BlobSweep {
  /** A store in which nobody else keeps anything: what has no record here is deleted. */
  blobs: Blobs
  locks: KeyedLock
  /** Those of the digests that a record names. */
  findReferenced(digests: readonly BlobDigest[]): Promise<ReadonlySet<BlobDigest>>
  now: Micros
  /** How long a content without a record, or one that is only staged, is left alone: longer than any request takes. */
  graceMicros: number
  /** Ends the sweep between two blobs. */
  signal?: AbortSignal
}

export interface SweptBlobs {
  examined: number
  deleted: number
  /** Staged contents that were removed. */
  unfinished: number
}

const batchSize = 500

/**
 * Deletes blobs that no record names: those whose writer was killed before it wrote one. A blob that is kept again meanwhile stays, since its
 * writer holds the key of the blob while it keeps it and writes the record.
 */
export async function sweepBlobs(sweep: BlobSweep): Promise<SweptBlobs> {
  const before = sweep.now - sweep.graceMicros
  const swept: SweptBlobs = { examined: 0, deleted: 0, unfinished: await sweep.blobs.sweepStaged(before) }
  for await (const batch of batches(oldBlobs(sweep, before, swept))) {
    const recorded = await sweep.findReferenced(batch)
    for (const digest of batch) {
      if (recorded.has(digest)) continue
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

/** Looks again where no writer can be in between. */
function deleteOrphan({ blobs, locks, findReferenced }: BlobSweep, digest: BlobDigest, before: Micros): Promise<boolean> {
  return locks.withKeys([blobKey(digest)], async () => {
    const kept = await blobs.stat(digest)
    if (!kept || kept.keptAt >= before || (await findReferenced([digest])).has(digest)) return false
    await blobs.delete(digest)
    return true
  })
}
