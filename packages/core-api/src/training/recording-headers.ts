import { z } from 'zod'
import { RecordedId } from '../shapes/recorded-id.ts'

const id = (what: string) => RecordedId.optional().describe(what)

/** Headers of a chat completion that is recorded on the server. */
export const recordingHeaders = z.object({
  'x-heddle-trajectory-id': id(
    'Records the request and its choices in the trajectory with this id, which is begun if it does not exist. For trained models. An id of your own, such as a UUID. Absent: that of the API key, if it records its chats',
  ),
  'x-heddle-group-id': id(
    'Group of the trajectory: attempts at the same task, whose rewards are compared. Absent: that of the API key, or a group of its own',
  ),
  'x-heddle-rollout-id': id('Batch of data collection that the trajectory belongs to'),
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('With a trajectory: a later request with the same key takes the place of this one in it. Otherwise ignored'),
  traceparent: z.string().max(1_000).optional().describe('W3C trace context; a trajectory keeps the ids of its trace and spans'),
})
