import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { StoreError } from '../analytical/analytical.ts'
import { toFileFailure } from '../file-failure.ts'
import { checkedDigest } from './blob-digest.ts'
import type { BlobDigest, BlobRead, Blobs, KeptBlob } from './blobs.ts'

/** Blobs as they are stored. */
export type StoredBlobs = Omit<Blobs, 'read'>

export interface VerifiedBlobsOptions {
  blobs: StoredBlobs
  /** Called each time damage is met, with an error of kind `damaged` that names the blob. */
  onDamage?: (error: StoreError) => void
  /**
   * Whether long content is read once more before it is handed out for the first time, so that a reader gets an error and no byte. For files on a
   * disk. False where a second read takes as long as the first: then the stream of long content fails before its last part.
   */
  rereads: boolean
}

/** Content up to this size is verified in memory before a reader gets any of it. */
const heldBytes = 1 << 20
/** Blobs whose state is remembered. */
const maxRemembered = 10_000

/**
 * Checks what is read against the digest. No reader gets all bytes of content that is damaged: `get` rejects with StoreError `damaged`, or
 * the stream of long content fails before its end. For a range all of the blob is read, once as long as it does not change.
 */
export function verifiedBlobs({ blobs, onDamage = () => undefined, rereads }: VerifiedBlobsOptions): Blobs {
  /** Size and time of those that were whole, and of those that were not. */
  const whole = createMemory()
  const damaged = createMemory()

  function report(digest: BlobDigest, reason: string): never {
    const wayOut = 'restore it from a backup, or send the same content again (`heddle doctor` lists all that is damaged)'
    const error = new StoreError('damaged', `blob ${digest} is damaged: ${reason}; ${wayOut}`)
    onDamage(error)
    throw error
  }

  function fail(digest: BlobDigest, found: KeptBlob | undefined): never {
    if (found) damaged.set(found)
    const reason = found?.sizeBytes === 0 ? 'it is empty' : 'it has other bytes than were stored'
    return report(digest, reason)
  }

  /** All of the content, which is not kept. */
  async function verify(digest: BlobDigest, signal: AbortSignal | undefined): Promise<KeptBlob | undefined> {
    const found = await blobs.stat(digest)
    if (!found || whole.has(found)) return found
    if (damaged.has(found)) return fail(digest, found)
    const content = await blobs.get(digest, { signal })
    if (!content) return undefined
    const hash = createHash('sha256')
    for await (const part of readable(content)) hash.update(part)
    if (hash.digest('hex') !== digest) return fail(digest, found)
    whole.set(found)
    return found
  }

  async function getWhole(digest: BlobDigest, signal: AbortSignal | undefined): Promise<Readable | undefined> {
    const content = await blobs.get(digest, { signal })
    if (!content) return undefined
    const source = readable(content)
    const hash = createHash('sha256')
    const held: Buffer[] = []
    let bytes = 0
    try {
      while (bytes <= heldBytes) {
        const next = await source.next()
        if (next.done) {
          if (hash.digest('hex') !== digest) fail(digest, await blobs.stat(digest))
          return streamOf(held)
        }
        hash.update(next.value)
        held.push(next.value)
        bytes += next.value.length
      }
      const found = rereads ? await blobs.stat(digest) : undefined
      if (found && !whole.has(found)) {
        const rest = hash.copy()
        for await (const part of source) rest.update(part)
        if (rest.digest('hex') !== digest) fail(digest, found)
        whole.set(found)
        return await getWhole(digest, signal)
      }
    } catch (error) {
      content.destroy()
      if (signal?.aborted) throw new StoreError('cancelled', `reading blob ${digest}: the request was cancelled`, { cause: error })
      throw error
    }
    const onMismatch = async () => fail(digest, await blobs.stat(digest))
    return Readable.from(withheld({ held, source, hash, digest, onMismatch }), { objectMode: false })
  }

  async function get(digest: BlobDigest, { start = 0, end = Infinity, signal }: BlobRead = {}): Promise<Readable | undefined> {
    checkedDigest(digest)
    if (start === 0 && end === Infinity) return getWhole(digest, signal)
    const found = await verify(digest, signal)
    return found && blobs.get(digest, { start, end, signal })
  }

  return {
    ...blobs,
    get,
    async read(digest, read) {
      const content = await get(digest, read)
      if (content) return content
      return report(digest, 'it is missing')
    },
    async stage(content) {
      const staged = await blobs.stage(content)
      // The same content was sent again: this heals the blob.
      if (damaged.knows(staged.digest)) await staged.keep()
      return staged
    },
  }
}

interface Withheld {
  held: readonly Buffer[]
  source: AsyncGenerator<Buffer>
  hash: Hash
  digest: BlobDigest
  onMismatch: () => Promise<never>
}

/** The parts as they come, each once the next one is there: the last only when all of them were right. */
async function* withheld({ held, source, hash, digest, onMismatch }: Withheld): AsyncGenerator<Buffer> {
  try {
    yield* held.slice(0, -1)
    let last = held.at(-1) ?? Buffer.alloc(0)
    for await (const part of source) {
      hash.update(part)
      yield last
      last = part
    }
    if (hash.digest('hex') !== digest) await onMismatch()
    yield last
  } finally {
    await source.return(undefined)
  }
}

/** The parts of a stream. Ends it when the reader stops. @throws StoreError for errors of the file system */
async function* readable(content: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const part of content) yield Buffer.isBuffer(part) ? part : Buffer.from(part as Uint8Array)
  } catch (error) {
    throw toFileFailure(error, 'blobs')
  }
}

function streamOf(parts: readonly Buffer[]): Readable {
  return Readable.from(parts, { objectMode: false })
}

/** The newest blobs, each with the size and time that it had: with others it is not the same file. */
function createMemory() {
  const known = new Map<BlobDigest, string>()
  const stateOf = ({ sizeBytes, keptAt }: KeptBlob) => `${sizeBytes} ${keptAt}`
  return {
    has: (found: KeptBlob) => known.get(found.digest) === stateOf(found),
    knows: (digest: BlobDigest) => known.has(digest),
    set(found: KeptBlob) {
      known.delete(found.digest)
      known.set(found.digest, stateOf(found))
      const [oldest] = known.keys()
      if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest)
    },
  }
}
