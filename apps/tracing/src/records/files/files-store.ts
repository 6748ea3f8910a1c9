import type { Readable } from 'node:stream'
import type { BlobReadOptions, Micros, StagedBlob } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

export interface NewFile {
  digest: string
  name: string
  /** Not kept yet. */
  content: Pick<StagedBlob, 'digest' | 'sizeBytes' | 'keep'>
  created_at: Micros
}

export interface StoredFile {
  digest: string
  name: string
  size_bytes: number
  /**
   * Opens the content, or a part of it. The caller reads the stream to its end or destroys it.
   * @throws StoreError `damaged` when the content is missing or has other bytes than were stored
   */
  open(range?: Pick<BlobReadOptions, 'start' | 'end'>): Promise<Readable>
}

/** Storage of files. A file is visible only in the projects to which it was written. */
export interface FilesStore {
  /** Takes bytes in, for `put`. The caller drops them in the end, kept or not. */
  stage(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StagedBlob>
  /** Keeps a file; the same content again changes nothing. Resolves when it is durable and readable. */
  put(project: ProjectScope, file: NewFile): Promise<void>
  /** Undefined where the project has no such file. */
  find(project: ProjectScope, digest: string): Promise<StoredFile | undefined>
  /** Bytes of all files of the project; 0 without any. */
  totalBytes(project: ProjectScope): Promise<number>
  /** The contents, by SHA-256 in hexadecimal, that a file of any project has. */
  findReferenced(hashes: readonly string[]): Promise<ReadonlySet<string>>
}
