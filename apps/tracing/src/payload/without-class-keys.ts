import { isJsonObject } from '@heddle/core-api/internal'

/** Keys that clients add to each object of a value that they made of an instance of a class. */
const classKeys: ReadonlySet<string> = new Set(['_type', '_class_name', '_bases'])

/** A value as it is validated: without the keys that name classes, at any depth. Compared values of a query, in `$literal`, are unchanged. */
export function withoutClassKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutClassKeys)
  if (!isJsonObject(value)) return value
  const own = Object.entries(value).filter(([name]) => !classKeys.has(name))
  return Object.fromEntries(own.map(([name, inner]) => [name, name === '$literal' ? inner : withoutClassKeys(inner)]))
}
