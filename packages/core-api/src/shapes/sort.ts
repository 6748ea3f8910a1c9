import { z } from 'zod'

/** One key of an order. Unknown keys are refused. */
export const SortBy = z
  .strictObject({
    field: z.string().describe('Field path, as in a query'),
    direction: z.enum(['asc', 'desc']).describe('`asc` or `desc`. Missing values come last in both'),
  })
  .meta({ id: 'SortBy' })
export type SortBy = z.output<typeof SortBy>
