import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier } from '../shapes/identifier.ts'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { choiceOf } from './choice-of.ts'
import { pageOf } from './page.ts'
import { projectHeader } from './project-header.ts'

/** An uploaded file to learn from, in the form of OpenAI's API. */
export const TrainingFile = z
  .object({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.number(),
    created_at: z.number().describe('Unix seconds'),
    filename: z.string(),
    purpose: z.literal('fine-tune'),
    status: z.enum(['processed', 'error']).describe('`error`: it cannot be learned; `status_details` names the first wrong lines'),
    status_details: z.string().nullable(),
  })
  .meta({ id: 'TrainingFile' })
export type TrainingFile = z.output<typeof TrainingFile>

const filePath = z.object({ file_id: Identifier.describe('Id of the file') })

/** Files to learn from, for clients of OpenAI's Files. */
export const trainingFiles = defineResource('Files to learn from, in the form of OpenAI’s Files', {
  create: {
    method: 'POST',
    path: '/v1/files',
    effect: 'write',
    repeat: 'adds',
    bodyFactor: 8,
    summary: 'Upload a file to learn from',
    description:
      'JSON Lines of conversations (`messages`), or of preference pairs (`input`, `preferred_output` and `non_preferred_output`). Each line is checked; a file with wrong lines is kept with the status `error`. At most 256 MiB.',
    headers: projectHeader,
    multipart: z.object({
      purpose: Identifier.describe('`fine-tune`; any other is refused'),
      'expires_after[anchor]': z.string().optional().describe('Refused: files are kept until they are deleted'),
      'expires_after[seconds]': z.string().optional().describe('Refused, as `expires_after[anchor]`'),
    }),
    parts: { file: 'Content of the file' },
    output: TrainingFile,
  },
  list: {
    method: 'GET',
    path: '/v1/files',
    effect: 'read',
    summary: 'List uploaded files',
    headers: projectHeader,
    query: z.object({
      purpose: orNull(Identifier).describe('Only files of this purpose. All have `fine-tune`'),
      after: orNull(Identifier).describe('Id of the last file of the page before. Null: from the beginning'),
      limit: orDefault(lenientIntBetween(1, 10_000), 1_000).describe('Files of a page, 1 to 10,000'),
      order: orDefault(choiceOf(['asc', 'desc']), 'desc').describe('Order by creation'),
    }),
    output: pageOf(TrainingFile),
  },
  read: {
    method: 'GET',
    path: '/v1/files/{file_id}',
    effect: 'read',
    summary: 'Read what is known about a file',
    params: filePath,
    output: TrainingFile,
  },
  content: {
    method: 'GET',
    path: '/v1/files/{file_id}/content',
    effect: 'read',
    summary: 'Read the bytes of a file',
    params: filePath,
    output: 'bytes',
  },
  delete: {
    method: 'DELETE',
    path: '/v1/files/{file_id}',
    effect: 'destroy',
    summary: 'Delete a file',
    description: 'Jobs that learn from it continue.',
    params: filePath,
    output: z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
  },
})
