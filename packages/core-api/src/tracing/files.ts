import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Digest } from '../shapes/digest.ts'
import { ProjectId } from '../shapes/project.ts'

/** Immutable byte strings, addressed by the digest of their content. */
export const files = defineResource({
  create: {
    method: 'POST',
    path: '/file/create',
    aliases: ['/files/create'],
    effect: 'write',
    summary: 'Store a file',
    description: 'The same content again is the same file.',
    multipart: z.object({
      project_id: ProjectId,
      expected_digest: z.string().optional().describe('Refuse the file when its digest differs'),
    }),
    parts: { file: 'The bytes. The name of the part becomes the name of the file' },
    output: z.object({ digest: Digest }),
  },
  content: {
    method: 'POST',
    path: '/file/content',
    aliases: ['/files/content'],
    effect: 'read',
    summary: 'Read the bytes of a file',
    body: z.object({ project_id: ProjectId, digest: Digest }),
    output: 'bytes',
  },
})
