import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { StoreError } from '../work/store-error.ts'
import { toFileFailure } from '../file-failure.ts'
import { checkedDigest } from './blob-digest.ts'
import type { BlobDigest, BlobReadOptions, Blobs, StoredBlob, StagedBlob } from './blobs.ts'

/** Blobs as they are stored. */
export type StoredBlobs = Omit<Blobs, 'read'>

export interface VerifiedBlobsOptions {
  blobs: StoredBlobs
  /** Called each time damage is met, with an error of kind `damaged` that names the blob. */
  onDamage?: (error: StoreError) => void
  /**
   * Whether long content is read in full before it is returned for the first time, so that a reader gets an error and no bytes. For files on a disk.
   * False if a second read takes as long as the first: then the stream of long content fails before its last part.
   */
  rereads: boolean
}

/** Content up to this size is verified in memory before a reader gets any of it. */
const heldBytes = 1 << 20
/** Blobs whose state is remembered. */
const maxRemembered = 10_000

/**
 * Checks content against its digest while reading. No reader gets all bytes of damaged content: `get` rejects with StoreError `damaged`, or the
 * stream of long content fails before its end. For a range, the whole blob is read once, and again only after it changes.
 */
export function verifiedBlobs({ blobs, onDamage = () => undefined, rereads }: VerifiedBlobsOptions): Blobs {
  /** Size and time of intact blobs, and of damaged ones. */
  const whole = createMemory()
  const damaged = createMemory()

  function report(digest: BlobDigest, reason: string): never {
    const wayOut = 'restore it from a backup, or send the same content again (`heddle doctor` lists all that is damaged)'
    const error = new StoreError('damaged', `blob ${digest} is damaged: ${reason}; ${wayOut}`)
    onDamage(error)
    throw error
  }

  function fail(digest: BlobDigest, found: StoredBlob | undefined): never {
    if (found) damaged.set(found)
    const reason = found?.sizeBytes === 0 ? 'it is empty' : 'it has other bytes than were stored'
    return report(digest, reason)
  }

  /** All of the content, which is not kept. */
  async function verify(digest: BlobDigest, signal: AbortSignal | undefined): Promise<StoredBlob | undefined> {
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

  async function get(digest: BlobDigest, { start = 0, end = Infinity, signal }: BlobReadOptions = {}): Promise<Readable | undefined> {
    checkedDigest(digest)
    if (start === 0 && end === Infinity) return getWhole(digest, signal)
    const found = await verify(digest, signal)
    return found && blobs.get(digest, { start, end, signal })
  }

  /** The same content was sent again: this heals the blob. */
  async function healed(staged: StagedBlob): Promise<StagedBlob> {
    if (damaged.knows(staged.digest)) await staged.keep()
    return staged
  }

  return {
    ...blobs,
    get,
    async read(digest, read) {
      const content = await get(digest, read)
      if (content) return content
      return report(digest, 'it is missing')
    },
    stage: async (content) => healed(await blobs.stage(content)),
    stageFile: async (path) => healed(await blobs.stageFile(path)),
  }
}

interface Withheld {
  held: readonly Buffer[]
  source: AsyncGenerator<Buffer>
  hash: Hash
  digest: BlobDigest
  onMismatch: () => Promise<never>
}

/** The parts in order, each once the next one has arrived: the last only if all of them were correct. */
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

/** The newest blobs, each with its size and time: if either differs, it is another file. */
function createMemory() {
  const known = new Map<BlobDigest, string>()
  const stateOf = ({ sizeBytes, keptAt }: StoredBlob) => `${sizeBytes} ${keptAt}`
  return {
    has: (found: StoredBlob) => known.get(found.digest) === stateOf(found),
    knows: (digest: BlobDigest) => known.has(digest),
    set(found: StoredBlob) {
      known.delete(found.digest)
      known.set(found.digest, stateOf(found))
      const [oldest] = known.keys()
      if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest)
    },
  }
}
