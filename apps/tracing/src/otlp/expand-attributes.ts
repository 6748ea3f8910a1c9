import { JsonNumber } from '@heddle/json'
import { isJsonObject, isOwnObject, type JsonObject, type JsonValue, newObject, parsed, type SentJson } from './json-value.ts'
import { createTextBudget, parseAttributeText, type TextBudget } from './decode/parse-attribute-text.ts'
import type { Attributes } from './span.ts'

/** What happens when a path has a plain value and is also a prefix of another path. */
export type ConflictRule = 'keep' | 'reject'

/** Maximum segments of a dotted key; the rest remains dotted in the last one. */
const maxSegments = 100
const listIndex = /^(?:0|[1-9]\d{0,9})$/

/** State shared by all attributes of a request. */
export interface Expansion {
  /** Cache of split keys, since the spans of a request repeat the same keys. */
  paths: Map<string, readonly string[]>
  texts: TextBudget
}

/** For a new request. */
export const createExpansion = (): Expansion => ({ paths: new Map(), texts: createTextBudget() })

/** Two attributes conflict: one needs an object where the other has a plain value. */
export class AttributeConflict extends Error {
  override readonly name = 'AttributeConflict'
}

/**
 * Nests attributes by the dots of their keys and merges them in order: objects deeply, the later value at leaves; a list and numbered keys by index,
 * where the list becomes an object with number keys. With `keep`, a deeper name below a plain value becomes a sibling under the rest of its path,
 * whichever of the two is first.
 * @throws AttributeConflict with `reject`, in these two cases; DecodeError when the JSON texts of the request have too many values
 */
export function expandAttributes(attributes: Attributes, conflicts: ConflictRule, { paths, texts }: Expansion): JsonObject {
  const root = newObject()
  for (const [key, sent] of attributes) {
    const value = typeof sent === 'string' ? parseAttributeText(sent, texts) : sent
    putNested(root, pathOf(key, paths), value, { key, conflicts })
  }
  return root
}

function pathOf(key: string, paths: Expansion['paths']): readonly string[] {
  const known = paths.get(key)
  if (known !== undefined) return known
  const path = key.split('.')
  if (path.length > maxSegments) path.push(path.splice(maxSegments - 1).join('.'))
  paths.set(key, path)
  return path
}

/** The attribute of a value, and the rule for conflicts. */
interface Origin {
  key: string
  conflicts: ConflictRule
}

function putNested(root: JsonObject, path: readonly string[], value: JsonValue, origin: Origin): void {
  const last = path.length - 1
  let object = root
  let depth = 0
  for (; depth < last; depth += 1) {
    const inner = descend(object, path[depth] as string, { next: path[depth + 1] as string, conflicts: origin.conflicts })
    if (inner === undefined) {
      if (origin.conflicts === 'reject') throw conflict(origin.key, path.slice(0, depth + 1).join('.'), 'has a plain value')
      break
    }
    object = inner
  }
  put(object, depth === last ? (path[last] as string) : path.slice(depth).join('.'), value, origin)
}

/** The mutable object under that key, created if absent; undefined if there is a plain value, or a list without such a position. */
function descend(object: JsonObject, key: string, { next, conflicts }: { next: string; conflicts: ConflictRule }): JsonObject | undefined {
  const present = object[key]
  if (present === undefined || (present === null && conflicts === 'reject')) return (object[key] = newObject())
  if (present === null) return undefined
  if (isOwnObject(present)) return present
  const inner = parsed(present)
  const isPath = Array.isArray(inner) ? listIndex.test(next) : isJsonObject(inner)
  return isPath ? (object[key] = toOwnObject(inner as JsonObject | JsonValue[])) : undefined
}

function put(object: JsonObject, key: string, value: JsonValue, origin: Origin): void {
  const present = object[key]
  if (present !== undefined && isOwnObject(present) && isPlain(value)) return putPlain(object, key, { value, nested: present }, origin)
  object[key] = present === undefined || typeof present !== 'object' || present === null ? value : combine(parsed(present), value, origin)
}

/** A plain value over names that are below it: these become its siblings. */
function putPlain(object: JsonObject, key: string, { value, nested }: { value: JsonValue; nested: JsonObject }, origin: Origin): void {
  if (origin.conflicts === 'reject') throw conflict(origin.key, origin.key, 'is also a prefix of other names')
  object[key] = value
  for (const [name, inner] of leavesOf(nested)) object[`${key}.${name}`] = inner
}

const isPlain = (value: JsonValue) => typeof value !== 'object' || value === null || value instanceof JsonNumber

/** All values below an object that names were nested in, by the rest of their names. */
function* leavesOf(object: JsonObject): Generator<[name: string, value: JsonValue]> {
  for (const key of Object.keys(object)) {
    const value = object[key] as JsonValue
    if (isOwnObject(value)) for (const [name, inner] of leavesOf(value)) yield [`${key}.${name}`, inner]
    else yield [key, value]
  }
}

/** The result of merging a value into an existing one. */
function combine(present: Exclude<JsonValue, SentJson>, sent: JsonValue, origin: Origin): JsonValue {
  const value = parsed(sent)
  if (Array.isArray(present)) return isJsonObject(value) && hasOnlyIndexes(value) ? merge(toOwnObject(present), value, origin) : sent
  if (!isJsonObject(present)) return sent
  if (Array.isArray(value) || isJsonObject(value)) return merge(isOwnObject(present) ? present : toOwnObject(present), value, origin)
  return sent
}

function merge(target: JsonObject, source: JsonObject | JsonValue[], origin: Origin): JsonObject {
  for (const key of Object.keys(source)) {
    put(target, key, (source as JsonObject)[key] as JsonValue, { ...origin, key: `${origin.key}.${key}` })
  }
  return target
}

function hasOnlyIndexes(object: JsonObject): boolean {
  return Object.keys(object).every((key) => listIndex.test(key))
}

/** A shallow, mutable copy; positions of a list become keys. */
function toOwnObject(value: JsonObject | JsonValue[]): JsonObject {
  const own = newObject()
  for (const key of Object.keys(value)) own[key] = (value as JsonObject)[key] as JsonValue
  return own
}

function conflict(key: string, path: string, problem: string): AttributeConflict {
  return new AttributeConflict(`attribute "${key}" conflicts with another: "${path}" ${problem}`)
}
