import { z } from 'zod'

/** The response of an operation without a result: `{}`. */
export const Nothing = z.object({})
