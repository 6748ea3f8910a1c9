import { tracing } from '@heddle/core-api'
import { z } from 'zod'

/** Amount of detail in an answer. */
export const Detail = z.enum(['summary', 'standard', 'full']).default('summary')

/** Accepted by every tool in addition to its own arguments. */
export const commonArguments = {
  max_tokens: z.int().optional(),
}

/** Of tools that read one project. */
export const inProject = {
  // The instructions describe it once; otherwise the listing would repeat it with every tool.
  project: tracing.calls.query.body.shape.project_id.optional().describe(''),
}

/** Of tools whose answer is a list in pages. */
export function inPages(usual: number, max: number) {
  return {
    limit: z
      .int()
      .min(1)
      .default(usual)
      .transform((limit) => Math.min(limit, max)),
    cursor: z.string().optional(),
  }
}

const Time = tracing.calls.stats.body.shape.start

/** Of tools that look at a range of time. */
export const inRange = {
  since: Time.optional().describe('Inclusive start'),
  until: Time.optional().describe('Exclusive end'),
}
