import { isJsonObject, isOwnObject, type JsonObject, type JsonValue, newObject, parsed, type SentJson } from './json-value.ts'
import { createTextBudget, parseAttributeText, type TextBudget } from './decode/parse-attribute-text.ts'
import type { Attributes } from './span.ts'

/** What happens when a path holds a plain value and is also the beginning of another path. */
export type ConflictRule = 'keep' | 'reject'

/** Parts of a dotted key; what follows the last one stays dotted. */
const maxSegments = 100
const listIndex = /^(?:0|[1-9]\d{0,9})$/

/** What all attributes of a request share; it changes as they are expanded. */
export interface Expansion {
  /** The parts of dotted keys that were split already. Spans of a request have the same keys over and over. */
  paths: Map<string, readonly string[]>
  texts: TextBudget
}

/** For a new request. */
export const createExpansion = (): Expansion => ({ paths: new Map(), texts: createTextBudget() })

/** Two attributes of which one needs an object where the other put a plain value. */
export class AttributeConflict extends Error {
  override readonly name = 'AttributeConflict'
}

/**
 * Nests attributes by the dots of their keys and merges them in order: objects deeply, the later value at leaves; a list and numbered keys by index,
 * where the list becomes an object with number keys. With `keep`, a deeper name below a plain value is stored beside it under the rest of its path,
 * and a plain value goes into an object that is already there as `_value`.
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

/** Which attribute a value comes from, and what happens when it meets another. */
interface Origin {
  key: string
  conflicts: ConflictRule
}

function putNested(root: JsonObject, path: readonly string[], value: JsonValue, origin: Origin): void {
  const last = path.length - 1
  let object = root
  let depth = 0
  for (; depth < last; depth += 1) {
    const inner = descend(object, path[depth] as string, path[depth + 1] as string)
    if (inner === undefined) {
      if (origin.conflicts === 'reject') throw conflict(origin.key, path.slice(0, depth + 1).join('.'), 'holds a plain value')
      break
    }
    object = inner
  }
  put(object, depth === last ? (path[last] as string) : path.slice(depth).join('.'), value, origin)
}

/** The object under that key, made when there is none and ours to change; undefined when a plain value, or a list without such a position, is there. */
function descend(object: JsonObject, key: string, next: string): JsonObject | undefined {
  const present = object[key]
  if (present === undefined || present === null) return (object[key] = newObject())
  if (isOwnObject(present)) return present
  const inner = parsed(present)
  const isPath = Array.isArray(inner) ? listIndex.test(next) : isJsonObject(inner)
  return isPath ? (object[key] = toOwnObject(inner as JsonObject | JsonValue[])) : undefined
}

function put(object: JsonObject, key: string, value: JsonValue, origin: Origin): void {
  const present = object[key]
  object[key] = present === undefined || typeof present !== 'object' || present === null ? value : meet(parsed(present), value, origin)
}

/** What stands where a value meets one that is there. */
function meet(present: Exclude<JsonValue, SentJson>, sent: JsonValue, origin: Origin): JsonValue {
  const value = parsed(sent)
  if (Array.isArray(present)) return isJsonObject(value) && hasOnlyIndexes(value) ? merge(toOwnObject(present), value, origin) : sent
  if (!isJsonObject(present)) return sent
  if (Array.isArray(value) || isJsonObject(value)) return merge(isOwnObject(present) ? present : toOwnObject(present), value, origin)
  if (!isOwnObject(present)) return sent
  if (origin.conflicts === 'reject') throw conflict(origin.key, origin.key, 'is also the beginning of other names')
  present['_value'] = value
  return present
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

/** A copy that may be changed; positions of a list become keys. Members are shared. */
function toOwnObject(value: JsonObject | JsonValue[]): JsonObject {
  const own = newObject()
  for (const key of Object.keys(value)) own[key] = (value as JsonObject)[key] as JsonValue
  return own
}

function conflict(key: string, path: string, problem: string): AttributeConflict {
  return new AttributeConflict(`attribute "${key}" conflicts with another: "${path}" ${problem}`)
}
