import { JsonNumber } from '@heddle/json'
import { DecodeError } from './decode-error.ts'
import { doubleValue, integerValue, isJsonObject, type JsonObject, type JsonValue, newObject, ownMember, textOf } from '../json-value.ts'
import type { Attributes, Resource } from '../span.ts'

/** Levels of lists and key-value lists in one attribute value. */
const maxDepth = 100

/** Parses JSON and keeps numbers that a double would change as `JsonNumber`. Given bytes, it refuses invalid UTF-8. */
export type ParseJson<Source> = (source: Source) => unknown

export function toResource(object: JsonObject): Resource {
  return {
    attributes: readAttributes(object),
    droppedAttributesCount: readCount(object, 'droppedAttributesCount', 'dropped_attributes_count'),
  }
}

export function readAttributes(object: JsonObject): Attributes {
  return readList(object, 'attributes').map((value) => {
    const attribute = asObject(value, 'attributes')
    return [readText(attribute, 'key'), toValue(read(attribute, 'value'), 0)]
  })
}

/** The value of an `AnyValue`; null when none of its members is set. */
export function toValue(value: JsonValue | undefined, depth: number): JsonValue {
  if (value === undefined) return null
  const any = asObject(value, 'value')
  if (depth > maxDepth) throw new DecodeError('too_deep', `an attribute value is nested more than ${maxDepth} levels deep`)
  const text = read(any, 'stringValue', 'string_value')
  if (text !== undefined) return textOf(text)
  return toNumberOrBoolean(any) ?? toNested(any, depth) ?? toBytes(any)
}

function toNumberOrBoolean(any: JsonObject): JsonValue | undefined {
  const integer = read(any, 'intValue', 'int_value')
  if (integer !== undefined) return integerValue(BigInt.asIntN(64, toBigInt(integer, 'intValue')))
  const boolean = read(any, 'boolValue', 'bool_value')
  if (boolean !== undefined) return boolean === true || boolean === 'true'
  const double = read(any, 'doubleValue', 'double_value')
  return double === undefined ? undefined : toDouble(double)
}

function toNested(any: JsonObject, depth: number): JsonValue | undefined {
  const list = read(any, 'arrayValue', 'array_value')
  if (list !== undefined) return readList(asObject(list, 'arrayValue'), 'values').map((element) => toValue(element, depth + 1))
  const members = read(any, 'kvlistValue', 'kvlist_value')
  if (members === undefined) return undefined
  const object = newObject()
  for (const element of readList(asObject(members, 'kvlistValue'), 'values')) {
    const member = asObject(element, 'kvlistValue')
    object[readText(member, 'key')] = toValue(read(member, 'value'), depth + 1)
  }
  return object
}

/** Bytes as standard base64 with padding, from either alphabet. */
function toBytes(any: JsonObject): JsonValue {
  const bytes = read(any, 'bytesValue', 'bytes_value')
  return bytes === undefined ? null : Buffer.from(textOf(bytes), 'base64').toString('base64')
}

function toDouble(value: JsonValue): JsonValue {
  if (value instanceof JsonNumber || (typeof value === 'number' && Number.isFinite(value))) return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (Number.isNaN(number) && value !== 'NaN') throw malformed('doubleValue', 'a number', value)
  return doubleValue(number)
}

/** The member by its camel-case or snake-case name; null counts as absent. */
export function read(object: JsonObject, camel: string, snake = camel): JsonValue | undefined {
  const value = ownMember(object, camel) ?? null
  if (value !== null || snake === camel) return value ?? undefined
  return ownMember(object, snake) ?? undefined
}

export function readList(object: JsonObject, camel: string, snake = camel): JsonValue[] {
  const value = read(object, camel, snake)
  if (value === undefined) return []
  if (!Array.isArray(value)) throw malformed(camel, 'a list', value)
  return value
}

export function readText(object: JsonObject, camel: string, snake = camel): string {
  const value = read(object, camel, snake)
  return value === undefined ? '' : textOf(value)
}

export function readId(object: JsonObject, camel: string, snake: string): string {
  return readText(object, camel, snake).toLowerCase()
}

export function readCount(object: JsonObject, camel: string, snake = camel): number {
  const value = read(object, camel, snake)
  return value === undefined ? 0 : Number(BigInt.asUintN(32, toBigInt(value, camel)))
}

export function readNanoseconds(object: JsonObject, camel: string, snake: string): bigint {
  const value = read(object, camel, snake)
  return value === undefined ? 0n : BigInt.asUintN(64, toBigInt(value, camel))
}

/** The number of an enumeration, from the number or the name; -1 when the name is unknown. */
export function readEnum(object: JsonObject, key: string, prefix: string, names: readonly string[]): number {
  const value = read(object, key)
  if (value === undefined) return 0
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : -1
  const text = textOf(value)
  return /^\d{1,9}$/.test(text) ? Number(text) : names.indexOf(text.startsWith(prefix) ? text.slice(prefix.length) : text)
}

const integerText = /^\s*([+-]?\d{1,40})(?:\.0*)?\s*$/

function toBigInt(value: JsonValue, name: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  const text = typeof value === 'string' || value instanceof JsonNumber || typeof value === 'number' ? textOf(value) : ''
  const digits = integerText.exec(text)?.[1]
  if (digits !== undefined) return BigInt(digits.replace('+', ''))
  const number = text === '' ? Number.NaN : Number(text)
  if (!Number.isInteger(number)) throw malformed(name, 'an integer', value)
  return BigInt(number)
}

export function asObject(value: JsonValue, name: string): JsonObject {
  if (!isJsonObject(value)) throw malformed(name, 'an object', value)
  return value
}

export function malformed(name: string, wanted: string, value: JsonValue): DecodeError {
  const shown =
    typeof value === 'object' ? (value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object') : JSON.stringify(value)
  return new DecodeError('malformed', `${name} must be ${wanted}, not ${shown.slice(0, 80)}`)
}
