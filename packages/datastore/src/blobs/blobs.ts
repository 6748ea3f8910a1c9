import type { Readable } from 'node:stream'
import type { Micros } from '../analytical/table.ts'

/** SHA-256 of the content in lower-case hexadecimal: the name of a blob. */
export type BlobDigest = string

export interface BlobStat {
  digest: BlobDigest
  sizeBytes: number
}

export interface KeptBlob extends BlobStat {
  /** When the content was last kept, by the clock of the store. */
  keptAt: Micros
}

/** Which part of a blob is wanted, and for how long. */
export interface BlobRead {
  /** First byte. Default 0. */
  start?: number
  /** Byte after the last. Default the end of the blob. */
  end?: number
  /** Aborts when nobody waits for the content any more. */
  signal?: AbortSignal | undefined
}

/** A content that was put aside whole, under a digest that is known by now. Nobody can read it yet. */
export interface StagedBlob extends BlobStat {
  /** Makes it a blob; durable and readable when it resolves. Does nothing to the content when it is one already, and once more nothing. */
  keep(): Promise<void>
  /** Forgets it when it was not kept; the blob stays when it was. Does not fail: what cannot be removed stays for `sweepStaged`. */
  drop(): Promise<void>
}

/** Contents by digest. Who may read which content is for the caller to decide. */
export interface Blobs {
  /** Takes a content in, on this machine, without making it a blob. Nothing is left of a content that breaks off. */
  stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedBlob>
  /** Keeps the content and returns its digest; durable when it resolves. Keeping the same content again changes nothing but `keptAt`. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobStat>
  /**
   * The content, or a part of it; undefined when there is no such blob. The caller reads the stream to its end or destroys it.
   * @throws StoreError `cancelled` when the signal aborts before there is a content
   */
  get(digest: BlobDigest, read?: BlobRead): Promise<Readable | undefined>
  /** Undefined when there is no such blob. */
  stat(digest: BlobDigest): Promise<KeptBlob | undefined>
  /** All blobs, in no order; one that comes or goes meanwhile may be missing. */
  list(): AsyncIterable<KeptBlob>
  /** Does nothing when there is no such blob. */
  delete(digest: BlobDigest): Promise<void>
  /** Removes what was staged before the time and has been neither kept nor dropped, as a killed server leaves it. Resolves to how many. */
  sweepStaged(before: Micros): Promise<number>
  /** The id of the store to which the blobs belong; undefined where none was set. It is kept beside them and is none of them. */
  storeId(): Promise<string | undefined>
  /** Sets the id; durable when it resolves. */
  setStoreId(id: string): Promise<void>
}
