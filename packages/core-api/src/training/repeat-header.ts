import { z } from 'zod'

/** Makes a request repeatable. */
export const repeatHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The same request with the same key within 24 hours is carried out once and gets the first response. Another request with it: 409',
    ),
})
