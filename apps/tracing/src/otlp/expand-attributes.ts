import { isJsonObject, isOwnObject, type JsonObject, type JsonValue, newObject, ownMember } from './json-value.ts'
import { parseAttributeText } from './parse-attribute-text.ts'
import type { Attributes } from './span.ts'

/** What happens when a path holds a plain value and is also the beginning of another path. */
export type ConflictRule = 'keep' | 'reject'

/** Parts of a dotted key; what follows the last one stays dotted. */
const maxSegments = 100
const listIndex = /^(?:0|[1-9]\d{0,9})$/

/** Two attributes of which one needs an object where the other put a plain value. */
export class AttributeConflict extends Error {
  override readonly name = 'AttributeConflict'
}

/**
 * Nests attributes by the dots of their keys and merges them in order: objects deeply, the later value at leaves; a list and numbered keys by index,
 * where the list becomes an object with number keys. With `keep`, a deeper name below a plain value is stored beside it under the rest of its path,
 * and a plain value goes into an object that is already there as `_value`.
 * @throws AttributeConflict with `reject`, in these two cases
 */
export function expandAttributes(attributes: Attributes, conflicts: ConflictRule): JsonObject {
  const root = newObject()
  for (const [key, sent] of attributes) {
    const value = typeof sent === 'string' ? parseAttributeText(sent) : sent
    if (key.includes('.')) putNested(root, key, value, conflicts)
    else put(root, key, value, key, conflicts)
  }
  return root
}

function putNested(root: JsonObject, key: string, value: JsonValue, conflicts: ConflictRule): void {
  let object = root
  let start = 0
  for (let depth = 1; depth < maxSegments; depth += 1) {
    const end = key.indexOf('.', start)
    if (end < 0) break
    const inner = descend(object, key.slice(start, end), nextSegment(key, end + 1))
    if (inner === undefined) {
      if (conflicts === 'reject') throw conflict(key, key.slice(0, end), 'holds a plain value')
      break
    }
    object = inner
    start = end + 1
  }
  put(object, start === 0 ? key : key.slice(start), value, key, conflicts)
}

function nextSegment(key: string, start: number): string {
  const end = key.indexOf('.', start)
  return end < 0 ? key.slice(start) : key.slice(start, end)
}

/** The object under that key, made when there is none and ours to change; undefined when a plain value, or a list without such a position, is there. */
function descend(object: JsonObject, key: string, next: string): JsonObject | undefined {
  const inner = ownMember(object, key)
  if (inner === undefined || inner === null) return (object[key] = newObject())
  if (isOwnObject(inner)) return inner
  const isPath = Array.isArray(inner) ? listIndex.test(next) : isJsonObject(inner)
  return isPath ? (object[key] = toOwnObject(inner as JsonObject | JsonValue[])) : undefined
}

function put(object: JsonObject, key: string, value: JsonValue, path: string, conflicts: ConflictRule): void {
  const present = ownMember(object, key)
  if (Array.isArray(present)) {
    object[key] = isJsonObject(value) && hasOnlyIndexes(value) ? merge(toOwnObject(present), value, path, conflicts) : value
  } else if (!isJsonObject(present)) {
    object[key] = value
  } else if (Array.isArray(value) || isJsonObject(value)) {
    object[key] = merge(isOwnObject(present) ? present : toOwnObject(present), value, path, conflicts)
  } else if (!isOwnObject(present)) {
    object[key] = value
  } else {
    if (conflicts === 'reject') throw conflict(path, path, 'is also the beginning of other names')
    present['_value'] = value
  }
}

function merge(target: JsonObject, source: JsonObject | JsonValue[], path: string, conflicts: ConflictRule): JsonObject {
  for (const key of Object.keys(source)) put(target, key, (source as JsonObject)[key] as JsonValue, `${path}.${key}`, conflicts)
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
