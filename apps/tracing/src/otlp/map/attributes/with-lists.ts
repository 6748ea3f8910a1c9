import { isJsonObject, type JsonObject, type JsonValue, newObject } from '../../json-value.ts'

/**
 * Turns every object whose keys are exactly 0 to n-1 into a list, at any depth. Empty objects are kept; unchanged values are returned by reference.
 */
export function withLists(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return listWithLists(value)
  return isJsonObject(value) ? objectWithLists(value) : value
}

function listWithLists(list: JsonValue[]): JsonValue[] {
  let copy: JsonValue[] | undefined
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index] as JsonValue
    if (typeof element !== 'object') continue
    const next = withLists(element)
    if (next !== element) (copy ??= list.slice())[index] = next
  }
  return copy ?? list
}

function objectWithLists(object: JsonObject): JsonValue {
  let copy: JsonObject | undefined
  let position = 0
  let isList = true
  // Number keys are first and in ascending order, so one pass recognizes a list.
  for (const key in object) {
    if (isList && key !== String(position)) isList = false
    position += 1
    const member = object[key] as JsonValue
    if (typeof member !== 'object') continue
    const next = withLists(member)
    if (next !== member) (copy ??= copyOf(object))[key] = next
  }
  const result = copy ?? object
  return isList && position > 0 ? Object.values(result) : result
}

function copyOf(object: JsonObject): JsonObject {
  const copy = newObject()
  for (const key of Object.keys(object)) copy[key] = object[key] as JsonValue
  return copy
}
