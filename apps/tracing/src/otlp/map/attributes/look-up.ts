import { JsonNumber } from '@heddle/json'
import { isJsonObject, type JsonObject, type JsonValue, ownMember, parsed, SentJson } from '../../json-value.ts'

/** The value at a dotted name; a name that is only the beginning of longer ones finds their object. Undefined if there is none. */
export function lookUp(root: JsonObject, path: readonly string[]): JsonValue | undefined {
  let holder: JsonObject | JsonValue[] = root
  const last = path.length - 1
  for (let depth = 0; depth < last; depth += 1) {
    const found = memberOf(holder, path[depth] as string)
    if (found === undefined) return undefined
    const inner = parsed(found)
    // Below a plain value, the rest of a name is stored next to it.
    if (typeof inner !== 'object' || inner === null || inner instanceof JsonNumber) return memberOf(holder, path.slice(depth).join('.'))
    holder = inner
  }
  return memberOf(holder, path[last] as string)
}

/** Names are from our tables and are not inherited by objects, but lists inherit some of them, such as `values`. */
function memberOf(holder: JsonObject | JsonValue[], key: string): JsonValue | undefined {
  return Array.isArray(holder) ? ownMember(holder as unknown as JsonObject, key) : holder[key]
}

/** False for values that a rule ignores: empty texts, zero, false, null, and empty objects and lists. */
export function isTruthy(value: JsonValue): boolean {
  if (typeof value !== 'object') return Boolean(value)
  if (value === null) return false
  if (value instanceof SentJson) return true
  if (value instanceof JsonNumber) return Number(value.text) !== 0
  if (!isJsonObject(value)) return (value as JsonValue[]).length > 0
  for (const key in value) if (Object.hasOwn(value, key)) return true
  return false
}
