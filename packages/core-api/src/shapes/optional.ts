import type { z } from 'zod'

/** An optional field: absent and null both mean not given, and arrive as null. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value): z.output<S> | null => value ?? null)
}

/** An optional field with a default: absent and null both mean `fallback`. */
export function orDefault<S extends z.ZodType>(schema: S, fallback: z.output<S>) {
  return schema
    .nullish()
    .meta({ default: fallback })
    .transform((value): z.output<S> => value ?? fallback)
}
