import { buffer } from 'node:stream/consumers'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { opSourceName } from '../../otlp/op-object.ts'
import type { FilesStore } from '../../records/files/files-store.ts'
import { hashDigest } from '../../payload/digest.ts'

/** Bytes of a source that is answered as text. */
const maxSourceBytes = 8 * 1024 * 1024

/** Source code of objects, each in a separate file. */
export interface SourceFiles {
  /** Stores a source, and returns the digest of its file. */
  put(project: ProjectScope, source: string): Promise<string>
  /** The source that a value references in `files`; empty if it references none, if the file was deleted, and above 8 MiB. */
  read(project: ProjectScope, value: { files?: unknown }): Promise<string>
}

export function createSourceFiles({ files, clock }: { files: FilesStore; clock: () => Micros }): SourceFiles {
  return {
    async put(project, source) {
      const content = await files.stage(Buffer.from(source))
      const digest = hashDigest(content.digest)
      await files.put(project, { digest, name: opSourceName, content, created_at: clock() }).finally(() => content.drop())
      return digest
    },

    async read(project, { files: named }) {
      const digest = (named as Partial<Record<string, unknown>> | null | undefined)?.[opSourceName]
      const file = typeof digest === 'string' ? await files.find(project, digest) : undefined
      if (file === undefined || file.size_bytes > maxSourceBytes) return ''
      const content = await file.open()
      return content === undefined ? '' : (await buffer(content)).toString()
    },
  }
}
