import type { z } from 'zod'

/** One declared query parameter or header. */
interface TextField {
  name: string
  /** Given several times, it is a list. */
  repeats: boolean
}

/** The fields of a schema whose values arrive as text. */
export function textFields(schema: z.ZodObject): readonly TextField[] {
  return Object.entries(schema.shape).map(([name, field]) => ({ name, repeats: isList(field) }))
}

/** Looks through what makes a schema optional or changes its result. */
function isList(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod as { def: { type: string; innerType?: z.core.$ZodType; in?: z.core.$ZodType } }
  const inner = def.innerType ?? def.in
  return def.type === 'array' || (inner !== undefined && isList(inner))
}

/** The declared parameters of a query; the last of equal names unless the parameter is a list. Other parameters are ignored. */
export function readQuery(fields: readonly TextField[], query: URLSearchParams): Record<string, string | string[]> {
  const given = fields.filter(({ name }) => query.has(name))
  return Object.fromEntries(given.map(({ name, repeats }) => [name, repeats ? query.getAll(name) : (query.getAll(name).at(-1) ?? '')]))
}

/** The declared headers that were sent. A list is separated by commas. */
export function readHeaders(fields: readonly TextField[], headers: Headers): Record<string, string | string[]> {
  const given: [string, string | string[]][] = []
  for (const { name, repeats } of fields) {
    const value = headers.get(name)
    if (value !== null) given.push([name, repeats ? value.split(',').map((item) => item.trim()) : value])
  }
  return Object.fromEntries(given)
}
