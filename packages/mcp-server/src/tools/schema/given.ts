import type { z } from 'zod'

/** A field that its operation takes as optional, where the tool needs it. */
export function given<S extends z.ZodType>(field: z.ZodPipe<z.ZodOptional<z.ZodNullable<S>>, z.ZodType>): S {
  const schema = field.in.unwrap().unwrap()
  return field.description === undefined ? schema : schema.describe(field.description)
}
