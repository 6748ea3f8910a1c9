import type { Readable } from 'node:stream'

/** SHA-256 of the content in lower-case hexadecimal: the name of a blob. */
export type BlobDigest = string

export interface BlobStat {
  digest: BlobDigest
  sizeBytes: number
}

/** Part of a blob: `start` inclusive, `end` exclusive, in bytes. */
export interface ByteRange {
  start: number
  end?: number
}

/** Contents by digest. Who may read which content is for the caller to decide. */
export interface Blobs {
  /** Keeps the content and returns its digest; on disk when it resolves. Keeping the same content again changes nothing. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobStat>
  /** The content, or a part of it; undefined when there is no such blob. The caller reads the stream to its end or destroys it. */
  get(digest: BlobDigest, range?: ByteRange): Promise<Readable | undefined>
  /** Undefined when there is no such blob. */
  stat(digest: BlobDigest): Promise<BlobStat | undefined>
  /** Does nothing when there is no such blob. */
  delete(digest: BlobDigest): Promise<void>
}
