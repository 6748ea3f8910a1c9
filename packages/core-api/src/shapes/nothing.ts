import { z } from 'zod'

/** The answer of an operation that has nothing to say: `{}`. */
export const Nothing = z.object({})
