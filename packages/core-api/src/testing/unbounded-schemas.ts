import type { z } from 'zod'

type Def = Record<string, unknown> & { type: string }

const bounded = ['BoundedList', 'BoundedRecord']

/** Paths in a schema to a list or a dictionary whose length is not checked before its entries: all but those of `listOf` and `recordOf`. */
export function unboundedSchemas(schema: z.core.$ZodType, place: string, seen = new Set<z.core.$ZodType>()): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const def = schema._zod.def as unknown as Def
  const isOpen = (def.type === 'array' || def.type === 'record') && !bounded.some((trait) => schema._zod.traits.has(trait))
  const below = Object.entries(def).flatMap(([key, value]) => schemasIn(value).map((inner) => [`${place}.${key}`, inner] as const))
  return [...(isOpen ? [place] : []), ...below.flatMap(([at, inner]) => unboundedSchemas(inner, at, seen))]
}

/** The schemas that a part of a definition holds: one, a list of them, or the fields of an object. */
function schemasIn(value: unknown): z.core.$ZodType[] {
  if (typeof value !== 'object' || value === null) return []
  if ('_zod' in value) return 'run' in (value._zod as object) ? [value as z.core.$ZodType] : []
  return Object.values(value).filter(
    (member): member is z.core.$ZodType => typeof member === 'object' && member !== null && '_zod' in member && 'run' in member._zod,
  )
}
