import { JsonNumber } from '@heddle/service-kit/json'
import { isJsonObject, type JsonObject, type JsonValue, ownMember, parsed, SentJson } from './json-value.ts'

/** A dotted name, split once when the tables of names are made. */
export interface AttributeName {
  readonly name: string
  readonly path: readonly string[]
}

/** The names of a table row, in the order in which they are tried. */
export function attributeNames(...names: string[]): readonly AttributeName[] {
  return names.map((name) => ({ name, path: name.split('.') }))
}

export interface FoundAttribute {
  name: string
  value: JsonValue
}

/** The value at a dotted name; a name that is only the beginning of others finds the object of them. Undefined when there is none. */
export function lookUp(root: JsonObject, path: readonly string[]): JsonValue | undefined {
  let holder: JsonObject | JsonValue[] = root
  const last = path.length - 1
  for (let depth = 0; depth < last; depth += 1) {
    const found = memberOf(holder, path[depth] as string)
    if (found === undefined) return undefined
    const inner = parsed(found)
    // Below a plain value, the rest of a name is stored beside it.
    if (typeof inner !== 'object' || inner === null || inner instanceof JsonNumber) return memberOf(holder, path.slice(depth).join('.'))
    holder = inner
  }
  return memberOf(holder, path[last] as string)
}

/** Names come from our tables and are none that objects inherit, but lists inherit some of them, such as `values`. */
function memberOf(holder: JsonObject | JsonValue[], key: string): JsonValue | undefined {
  return Array.isArray(holder) ? ownMember(holder as unknown as JsonObject, key) : holder[key]
}

/** The first of the names whose value counts: empty texts, zero, false, null and empty objects and lists are passed over. */
export function findFirst(root: JsonObject, names: readonly AttributeName[]): FoundAttribute | undefined {
  for (const { name, path } of names) {
    const value = lookUp(root, path)
    if (value !== undefined && isTruthy(value)) return { name, value }
  }
  return undefined
}

/** As `findFirst`, but the number 0 counts too. */
export function findFirstCount(root: JsonObject, names: readonly AttributeName[]): JsonValue | undefined {
  for (const { path } of names) {
    const value = lookUp(root, path)
    if (value !== undefined && (value === 0 || isTruthy(value))) return value
  }
  return undefined
}

export function isTruthy(value: JsonValue): boolean {
  if (typeof value !== 'object') return Boolean(value)
  if (value === null) return false
  if (value instanceof SentJson) return true
  if (value instanceof JsonNumber) return Number(value.text) !== 0
  if (!isJsonObject(value)) return (value as JsonValue[]).length > 0
  for (const key in value) if (Object.hasOwn(value, key)) return true
  return false
}
