import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier } from '../shapes/identifier.ts'

/** Conversations for supervised fine-tuning. */
export const trainingData = defineResource('Conversations for supervised fine-tuning', {
  create: {
    method: 'POST',
    path: '/v1/preview/training-data',
    effect: 'write',
    staged: true,
    summary: 'Upload training data',
    description:
      'An addition of this server. JSON Lines in UTF-8: on each line an object with `messages`, the last one of the assistant, and optionally `tools`. At most 256 MiB. Uploading the same content again returns the same address.',
    query: z.object({
      entity: Identifier.optional().describe('Entity that owns the data. Absent: that of the API key'),
      project: Identifier.describe('Name of the project, without the entity'),
    }),
    bytes: ['application/jsonl', 'application/x-ndjson', 'application/octet-stream', 'text/plain'],
    output: z.object({ url: z.string().describe('Address for `training_data_url`') }),
  },
})
