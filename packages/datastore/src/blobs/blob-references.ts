import type { BlobDigest } from './blobs.ts'
import type { Database } from '../relational/database.ts'
import { inParts } from '../in-parts.ts'

const batchSize = 500

/** Notes that a row, the holder, needs these blobs. In the transaction that writes the row; under the keys of the blobs (`blobKey`). */
export async function referenceBlobs(transaction: Database, holder: string, digests: readonly BlobDigest[]): Promise<void> {
  const rows = [...new Set(digests)].map((sha256) => ({ holder, sha256 }))
  for (const some of inParts(rows, batchSize)) {
    await transaction
      .insertInto('blob_references')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Forgets what the holder needs. Blobs that nothing else needs are removed by the next sweep. */
export async function releaseBlobs(transaction: Database, holder: string): Promise<void> {
  await transaction.deleteFrom('blob_references').where('holder', '=', holder).execute()
}

/**
 * Removes the holder's references, except for `kept`, and has the released blobs removed immediately instead of by the next sweep: for large blobs
 * that are no longer read. Blobs that are referenced elsewhere are kept.
 */
export async function releaseBlobsAtOnce(transaction: Database, holder: string, kept: readonly BlobDigest[] = []): Promise<void> {
  const held = await transaction.selectFrom('blob_references').select('sha256').where('holder', '=', holder).execute()
  const released = held.map(({ sha256 }) => sha256).filter((digest) => !kept.includes(digest))
  await noteReleased(transaction, released)
  for (const some of inParts(released, batchSize)) {
    await transaction.deleteFrom('blob_references').where('holder', '=', holder).where('sha256', 'in', some).execute()
  }
}

/** Has unreferenced blobs removed immediately. */
export async function noteReleased(transaction: Database, digests: readonly BlobDigest[]): Promise<void> {
  const rows = [...new Set(digests)].map((sha256) => ({ sha256 }))
  for (const some of inParts(rows, batchSize)) {
    await transaction
      .insertInto('released_blobs')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Those digests that a holder needs. */
export async function findHeldBlobs(database: Database, digests: readonly BlobDigest[]): Promise<Set<BlobDigest>> {
  if (digests.length === 0) return new Set()
  const rows = await database.selectFrom('blob_references').select('sha256').distinct().where('sha256', 'in', digests).execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}
