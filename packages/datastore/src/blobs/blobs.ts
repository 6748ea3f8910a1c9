import type { Readable } from 'node:stream'
import type { Micros } from '../micros.ts'

/** SHA-256 of the content in lower-case hexadecimal: the name of a blob. */
export type BlobDigest = string

export interface BlobStat {
  digest: BlobDigest
  sizeBytes: number
}

export interface StoredBlob extends BlobStat {
  /** When the content was last stored, by the clock of the store. */
  keptAt: Micros
}

/** Byte range and cancellation of a read. */
export interface BlobReadOptions {
  /** Start of the range. Default 0. */
  start?: number
  /** End of the range, exclusive. Default the end of the blob. */
  end?: number
  /** Aborts when the content is no longer needed. */
  signal?: AbortSignal | undefined
}

/** A staged upload: complete, with a known digest, and not readable yet. */
export interface StagedBlob extends BlobStat {
  /** Its content from the beginning. Not once it was kept or dropped. The caller must consume or destroy the stream. */
  read(): Readable
  /** Turns it into a blob, durable and readable once it resolves. Idempotent, also when the blob exists already. */
  keep(): Promise<void>
  /** Deletes the staged file; a blob that was kept remains. Never fails: leftovers are removed by `sweepStaged`. */
  drop(): Promise<void>
}

/** Content-addressed storage. Access control is up to the caller. */
export interface Blobs {
  /** Stages an upload on this machine. An upload that breaks off leaves nothing behind. */
  stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedBlob>
  /**
   * Stages a local file that is no longer written to. The file is moved away, even on failure; without a copy if it is on the disk of the staged
   * files.
   */
  stageFile(path: string): Promise<StagedBlob>
  /** Stores the content and returns its digest. Durable once it resolves. Storing the same content again only updates `keptAt`. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobStat>
  /**
   * The content or a range of it, checked against the digest; undefined when the blob does not exist. The caller must consume or destroy the stream.
   * @throws StoreError `damaged` that names the blob when its content does not have the digest; the stream of long content may fail with it before its
   * last part instead. `cancelled` when the signal aborts before the content arrives
   */
  get(digest: BlobDigest, read?: BlobReadOptions): Promise<Readable | undefined>
  /**
   * The content of a blob that a record names, or a range of it.
   * @throws StoreError `damaged` that names the blob when it is missing, and as `get`
   */
  read(digest: BlobDigest, read?: BlobReadOptions): Promise<Readable>
  /** Undefined when the blob does not exist. */
  stat(digest: BlobDigest): Promise<StoredBlob | undefined>
  /** All blobs, unordered. Blobs added or deleted meanwhile may be missing. */
  list(): AsyncIterable<StoredBlob>
  /** Does nothing when the blob does not exist. */
  delete(digest: BlobDigest): Promise<void>
  /** Deletes uploads staged before the time that were neither kept nor dropped, as left by a killed server. Resolves to their number. */
  sweepStaged(before: Micros): Promise<number>
  /** The id of the store that the blobs belong to; undefined if none was set. Stored next to the blobs, not as a blob. */
  storeId(read?: Pick<BlobReadOptions, 'signal'>): Promise<string | undefined>
  /** Sets the id. Durable once it resolves. */
  setStoreId(id: string): Promise<void>
}
