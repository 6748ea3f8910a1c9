import { createHash } from 'node:crypto'
import type { Blobs } from '@heddle/datastore'

/** The contents of a store. */
export interface BlobStats {
  count: number
  bytes: number
  /** Over their sorted hashes. */
  digest: string
}

export interface CopyBlobsOptions {
  from: Blobs
  to: Blobs
  onCopied: (count: number) => void
}

/** Each is synced when it is copied, and syncs of others who write wait behind it. */
const atOnce = 2

/**
 * Copies all contents, each of which is hashed on the way; they are on disk when it resolves. One that is deleted meanwhile is left out.
 * @throws Error when the hash of a content is not its name.
 */
export async function copyBlobs({ from, to, onCopied }: CopyBlobsOptions): Promise<BlobStats> {
  const sizes = new Map<string, number>()
  const source = from.list()[Symbol.asyncIterator]()
  async function work(): Promise<void> {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const { digest } = next.value
      const content = await from.get(digest)
      if (content === undefined) continue
      const copy = await to.put(content)
      if (copy.digest !== digest) throw new Error(`blob ${digest} is damaged: its hash is ${copy.digest}`)
      sizes.set(digest, copy.sizeBytes)
      onCopied(sizes.size)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return toStats(sizes)
}

/** Reads all contents. @throws Error that names one whose hash is not its name */
export async function hashBlobs(blobs: Blobs, onRead: (count: number) => void): Promise<{ stats: BlobStats; digests: Set<string> }> {
  const sizes = new Map<string, number>()
  for await (const { digest, sizeBytes } of blobs.list()) {
    const hash = createHash('sha256')
    for await (const part of (await blobs.get(digest)) ?? []) hash.update(part)
    if (hash.digest('hex') !== digest) throw new Error(`blob ${digest} does not match its hash`)
    sizes.set(digest, sizeBytes)
    onRead(sizes.size)
  }
  return { stats: toStats(sizes), digests: new Set(sizes.keys()) }
}

function toStats(sizes: ReadonlyMap<string, number>): BlobStats {
  const names = [...sizes.keys()].toSorted()
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  return { count: names.length, bytes, digest: createHash('sha256').update(names.join('\n')).digest('hex') }
}
