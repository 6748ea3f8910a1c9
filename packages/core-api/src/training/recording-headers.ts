import { z } from 'zod'

const id = (what: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'Input should have 1 to 200 visible ASCII characters')
    .optional()
    .describe(what)

/** Headers of a chat completion that is recorded on the server. */
export const recordingHeaders = z.object({
  'x-heddle-trajectory-id': id(
    'Records the request and its choices in the trajectory with this id, which is begun where there is none. For trained models. An id of your own, such as a UUID',
  ),
  'x-heddle-group-id': id('Group of the trajectory: attempts at the same task, whose rewards are compared. Absent: a group of its own'),
  'x-heddle-rollout-id': id('Batch of data collection that the trajectory belongs to'),
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('With a trajectory: a later request with the same key takes the place of this one in it. Otherwise ignored'),
  traceparent: z.string().max(1_000).optional().describe('W3C trace context; a trajectory keeps the ids of its trace and spans'),
})
