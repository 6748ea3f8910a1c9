import { conflict, type FilePart, type Handlers, invalid, notFound, type tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { bytesDigest } from '../../payload/digest.ts'
import type { FilesStore } from './files-store.ts'

/** Name of a file that was sent without one. */
const noName = '<unnamed_file>'

export interface FilesDeps {
  files: FilesStore
  clock: () => Micros
}

export function filesHandlers({ files, clock }: FilesDeps): Handlers<typeof tracing.files, Context> {
  return {
    async create({ project_id, expected_digest, files: parts }, context) {
      const { bytes, filename } = readFilePart(parts)
      const project = await context.open(project_id)
      const digest = bytesDigest(bytes)
      if (expected_digest !== undefined && expected_digest !== digest) {
        throw conflict(`Client file digest ${expected_digest} != server digest ${digest}`)
      }
      await files.put(project, { digest, name: filename || noName, bytes, created_at: clock() })
      return { digest }
    },

    async content({ project_id, digest }, context) {
      const project = await context.open(project_id)
      const bytes = await files.read(project, digest)
      if (bytes === undefined) throw notFound(`File with digest ${digest} not found`)
      return { content_type: 'application/octet-stream', bytes }
    },
  }
}

function readFilePart(parts: readonly FilePart[]): FilePart {
  const part = parts.find(({ field }) => field === 'file')
  if (part === undefined) throw invalid([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }])
  return part
}
