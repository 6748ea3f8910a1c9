import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

export interface NewFile {
  digest: string
  name: string
  bytes: Uint8Array
  created_at: Micros
}

/** What the files resource asks of storage. A file is seen in the projects to which it was written, and in no other. */
export interface FilesStore {
  /** Stores a file; the same content again changes nothing. Resolves when it is durable and readable. */
  put(project: ProjectScope, file: NewFile): Promise<void>
  /** The content; undefined where the project has no such file. */
  read(project: ProjectScope, digest: string): Promise<Uint8Array | undefined>
}
