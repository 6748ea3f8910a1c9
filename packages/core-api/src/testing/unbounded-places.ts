/** Paths in a JSON Schema that accept a list, or arbitrary keys, without a bound. Free JSON is bounded by the body limit. */
export function unboundedPlaces(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, prefixItems, maxItems, additionalProperties, maxProperties } = schema as Record<string, unknown>
  const isList = type === 'array' && prefixItems === undefined && maxItems === undefined
  const isRecord = typeof additionalProperties === 'object' && !isAnything(additionalProperties) && maxProperties === undefined
  const inner = Object.entries(schema).flatMap(([key, value]) => unboundedPlaces(value, `${place}.${key}`))
  return isList || isRecord ? [place, ...inner] : inner
}

/** Further keys of any kind are free JSON. */
function isAnything(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0
}
