import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Digest } from '../shapes/digest.ts'
import { Identifier } from '../shapes/identifier.ts'
import { ProjectId } from '../shapes/project.ts'

/** Immutable byte strings, addressed by the digest of their content. */
export const files = defineResource('Immutable byte strings, addressed by their content', {
  create: {
    method: 'POST',
    path: '/file/create',
    aliases: ['/files/create'],
    effect: 'write',
    summary: 'Store a file',
    description: 'Storing the same content again returns the same file.',
    multipart: z.object({
      project_id: ProjectId,
      expected_digest: Identifier.optional().describe('Reject the file if its digest differs'),
    }),
    parts: { file: 'Content of the file. The file name of the part becomes the name of the file' },
    output: z.object({ digest: Digest }),
  },
  content: {
    method: 'POST',
    path: '/file/content',
    aliases: ['/files/content'],
    effect: 'read',
    summary: 'Read the bytes of a file',
    description: 'With a `Range` header, returns that range with status 206, or 416 if it is not satisfiable.',
    headers: z.object({
      range: z.string().optional().describe('A single range, such as `bytes=0-99`. Multiple or invalid ranges return the whole file'),
      'if-range': z.string().optional().describe('Entity tag of the requested content; the whole file is sent when it differs'),
    }),
    body: z.object({ project_id: ProjectId, digest: Digest }),
    output: 'bytes',
  },
  queryStats: {
    method: 'POST',
    path: '/files/query_stats',
    aliases: ['/files/stats'],
    effect: 'read',
    summary: 'Get the total size of the files of a project',
    body: z.object({ project_id: ProjectId }),
    output: z.object({ total_size_bytes: z.number().int().describe('Sum over the distinct files; 0 without any') }),
  },
})
