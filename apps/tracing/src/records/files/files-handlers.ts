import type { Handlers, tracing } from '@heddle/core-api'
import { type BytesStream, conflict, invalid, notFound, type ReceivedPart } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { rangeNotSatisfiable } from '@heddle/service-kit'
import { hashDigest } from '../../payload/digest.ts'
import type { FilesStore } from './files-store.ts'
import { pickRange } from './pick-range.ts'

/** Name of a file that was sent without one. */
const noName = '<unnamed_file>'

export interface FilesDeps {
  files: FilesStore
  clock: () => Micros
}

export function filesHandlers({ files, clock }: FilesDeps): Handlers<typeof tracing.files, Context> {
  return {
    async create({ project_id, expected_digest, files: parts }, context) {
      const { content, filename } = readFilePart(parts)
      const project = await context.open(project_id)
      const digest = hashDigest(content.digest)
      if (expected_digest !== undefined && expected_digest !== digest) {
        throw conflict(`Client file digest ${expected_digest} != server digest ${digest}`)
      }
      await files.put(project, { digest, name: filename || noName, content, created_at: clock() })
      return { digest }
    },

    async content({ project_id, digest, range, 'if-range': ifRange }, context): Promise<BytesStream> {
      const project = await context.open(project_id)
      const file = await files.find(project, digest)
      if (file === undefined) throw noSuchFile(digest)
      // One digest has one content, so it names the version of the bytes as well.
      const etag = `"${digest}"`
      const sizeBytes = file.size_bytes
      const picked = pickRange({ range, ifRange, etag, sizeBytes })
      if (picked === 'none') throw rangeNotSatisfiable(sizeBytes)
      const { start, end } = picked === 'whole' ? { start: 0, end: sizeBytes } : picked
      const content = await file.open(picked === 'whole' ? {} : { start, end })
      return {
        content_type: 'application/octet-stream',
        content,
        cancel: () => void content.destroy(),
        sizeBytes: end - start,
        status: picked === 'whole' ? 200 : 206,
        headers: {
          etag,
          'accept-ranges': 'bytes',
          ...(picked === 'whole' ? {} : { 'content-range': `bytes ${start}-${end - 1}/${sizeBytes}` }),
        },
      }
    },

    async queryStats({ project_id }, context) {
      const project = await context.open(project_id)
      return { total_size_bytes: await files.totalBytes(project) }
    },
  }
}

const noSuchFile = (digest: string) => notFound(`File with digest ${digest} not found`)

function readFilePart(parts: readonly ReceivedPart[]): ReceivedPart {
  const part = parts.find(({ field }) => field === 'file')
  if (part === undefined) throw invalid([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }])
  return part
}
