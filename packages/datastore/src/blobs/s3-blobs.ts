import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { StoreError } from '../work/store-error.ts'
import { checkedDigest, isBlobDigest } from './blob-digest.ts'
import type { BlobDigest, BlobReadOptions, Blobs, StoredBlob } from './blobs.ts'
import { type S3Bucket, type S3RequestsOptions, s3Requests } from './s3-requests.ts'
import { stageBlobs } from './stage-blobs.ts'
import { parseStoreId, storeIdName, storeIdText } from './store-id-file.ts'
import { removeStaged, stagedFiles } from './staged-files.ts'
import { type StoredBlobs, verifiedBlobs } from './verified-blobs.ts'

export interface S3BlobsOptions extends S3Bucket, S3RequestsOptions {
  /** Prefix of the key of every blob; '' for none. Each relational database needs its own. */
  prefix: string
  /** Local folder for staged uploads. */
  stagingDir: string
  /** Called each time damage is met. */
  onDamage?: (error: StoreError) => void
}

const emptyRange = 416
const absent = 404

/**
 * Blobs as objects `<prefix><digest>` of a bucket. An upload is one request that is signed over its digest, so the store rejects content that
 * changed in transit. S3 limits such an upload to 5 GB.
 */
export function s3Blobs({ onDamage, ...options }: S3BlobsOptions): Blobs {
  return verifiedBlobs({ blobs: storedObjects(options), rereads: false, ...(onDamage && { onDamage }) })
}

function storedObjects({ prefix, stagingDir, ...bucket }: Omit<S3BlobsOptions, 'onDamage'>): StoredBlobs {
  const staged = stagedFiles(stagingDir)
  const requests = s3Requests(bucket, bucket)
  const keyOf = (digest: BlobDigest) => prefix + checkedDigest(digest)

  async function find(digest: BlobDigest): Promise<StoredBlob | undefined> {
    const { status, headers } = await requests.send({ method: 'HEAD', key: keyOf(digest) }, [absent])
    if (status === absent) return undefined
    return { digest, sizeBytes: Number(headers.get('content-length')), keptAt: toMicros(headers.get('last-modified')) }
  }

  return {
    ...stageBlobs(staged, async ({ path, digest, sizeBytes }) => {
      const response = await requests.send({ method: 'PUT', key: keyOf(digest), file: { path, sizeBytes, digest } })
      await response.body?.cancel()
    }),
    async get(digest, { start = 0, end = Infinity, signal } = {}) {
      const key = keyOf(digest)
      if (end <= start) return (await find(digest)) && Readable.from([])
      const response = await requests.send({ method: 'GET', key, signal, ...rangeHeader({ start, end }) }, [absent, emptyRange])
      if (response.ok && response.body) return Readable.fromWeb(response.body as NodeReadableStream)
      await response.body?.cancel()
      return response.status === absent ? undefined : Readable.from([])
    },
    stat: async (digest) => find(checkedDigest(digest)),
    async *list() {
      for (let next: string | undefined = ''; next !== undefined;) {
        const query = { 'list-type': '2', prefix, ...(next !== '' && { 'continuation-token': next }) }
        const page = await (await requests.send({ method: 'GET', key: '', query })).text()
        yield* readListing(page, prefix)
        next = elementOf(page, 'NextContinuationToken')
      }
    },
    async delete(digest) {
      const response = await requests.send({ method: 'DELETE', key: keyOf(digest) }, [absent])
      await response.body?.cancel()
    },
    sweepStaged: (before) => staged.sweep(before),
    async storeId({ signal } = {}) {
      const response = await requests.send({ method: 'GET', key: prefix + storeIdName, signal }, [absent])
      if (response.ok) return parseStoreId(await response.text(), prefix + storeIdName)
      await response.body?.cancel()
      return undefined
    },
    async setStoreId(id) {
      const file = await staged.write(storeIdText(id))
      try {
        const response = await requests.send({ method: 'PUT', key: prefix + storeIdName, file })
        await response.body?.cancel()
      } finally {
        await removeStaged(file.path)
      }
    },
  }
}

function rangeHeader({ start, end }: Required<Pick<BlobReadOptions, 'start' | 'end'>>): { range?: string } {
  if (start === 0 && end === Infinity) return {}
  return { range: `bytes=${start}-${end === Infinity ? '' : end - 1}` }
}

/** The blobs of one page of a listing; other objects are skipped. */
function* readListing(page: string, prefix: string): Generator<StoredBlob> {
  for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = elementOf(entry, 'Key') ?? ''
    const digest = key.slice(prefix.length)
    if (!key.startsWith(prefix) || !isBlobDigest(digest)) continue
    yield { digest, sizeBytes: Number(elementOf(entry, 'Size')), keptAt: toMicros(elementOf(entry, 'LastModified')) }
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text of the first element with this name, which has no children; undefined if missing. */
function elementOf(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  if (start < 0 || end < 0) return undefined
  return xml
    .slice(start + name.length + 2, end)
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (match, decimal: string, hex: string, word: string) =>
      word === undefined
        ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
        : (entities[word] ?? match),
    )
}

/** Converts a date from S3 to microseconds. */
function toMicros(date: string | null | undefined): number {
  return Date.parse(date ?? '') * 1000
}
