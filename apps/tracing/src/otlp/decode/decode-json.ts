import { JsonNumber } from '@heddle/json'
import { DecodeError } from './decode-error.ts'
import { doubleValue, integerValue, isJsonObject, type JsonObject, type JsonValue, newObject, ownMember, textOf } from '../json-value.ts'
import type { Attributes, DecodedRequest, Resource, ResourceSpans, Scope, ScopeSpans, Span, SpanEvent, SpanLink } from '../span.ts'
import { spanKinds, statusCodes } from './span-enums.ts'

/** Levels of lists and key-value lists in one attribute value. */
const maxDepth = 100

/** Parses JSON and keeps numbers that a double would lose as `JsonNumber`. Given bytes, it refuses those that are not UTF-8. */
export type ParseJson<Source> = (source: Source) => unknown

/**
 * Decodes an export request in OTLP/JSON. Keys are read in camel case and in snake case, ids in hex of any case, 64-bit numbers as text or number.
 * Unknown keys are ignored. Errors of `parse` pass through.
 * @throws DecodeError when the JSON is no such request or a value is nested too deeply; the message names the place
 */
export function decodeJson<Source extends string | Uint8Array>(source: Source, parse: ParseJson<Source>): DecodedRequest {
  const root = parse(source) as JsonValue
  if (!isJsonObject(root)) throw malformed('the export request', 'an object', root)
  return { resources: readList(root, 'resourceSpans', 'resource_spans').map(toResourceSpans), replacedTexts: 0 }
}

function toResourceSpans(value: JsonValue): ResourceSpans {
  const object = asObject(value, 'resourceSpans')
  const resource = read(object, 'resource')
  return {
    resource: resource === undefined ? null : toResource(asObject(resource, 'resource')),
    scopes: readList(object, 'scopeSpans', 'scope_spans').map(toScopeSpans),
  }
}

function toResource(object: JsonObject): Resource {
  return {
    attributes: readAttributes(object),
    droppedAttributesCount: readCount(object, 'droppedAttributesCount', 'dropped_attributes_count'),
  }
}

function toScopeSpans(value: JsonValue): ScopeSpans {
  const object = asObject(value, 'scopeSpans')
  const scope = read(object, 'scope')
  return { scope: scope === undefined ? null : toScope(asObject(scope, 'scope')), spans: readList(object, 'spans').map(toSpan) }
}

function toScope(object: JsonObject): Scope {
  return { name: readText(object, 'name'), version: readText(object, 'version') }
}

function toSpan(value: JsonValue): Span {
  const object = asObject(value, 'spans')
  const status = read(object, 'status')
  const statusObject = status === undefined ? undefined : asObject(status, 'status')
  return {
    traceId: readId(object, 'traceId', 'trace_id'),
    spanId: readId(object, 'spanId', 'span_id'),
    parentSpanId: readId(object, 'parentSpanId', 'parent_span_id'),
    traceState: readText(object, 'traceState', 'trace_state'),
    name: readText(object, 'name'),
    kind: readEnum(object, 'kind', 'SPAN_KIND_', spanKinds),
    startNs: readNanoseconds(object, 'startTimeUnixNano', 'start_time_unix_nano'),
    endNs: readNanoseconds(object, 'endTimeUnixNano', 'end_time_unix_nano'),
    attributes: readAttributes(object),
    events: readList(object, 'events').map(toEvent),
    links: readList(object, 'links').map(toLink),
    statusCode: statusObject ? readEnum(statusObject, 'code', 'STATUS_CODE_', statusCodes) : 0,
    statusMessage: statusObject ? readText(statusObject, 'message') : '',
  }
}

function toEvent(value: JsonValue): SpanEvent {
  const object = asObject(value, 'events')
  return {
    name: readText(object, 'name'),
    timeNs: readNanoseconds(object, 'timeUnixNano', 'time_unix_nano'),
    attributes: readAttributes(object),
    droppedAttributesCount: readCount(object, 'droppedAttributesCount', 'dropped_attributes_count'),
  }
}

function toLink(value: JsonValue): SpanLink {
  const object = asObject(value, 'links')
  return {
    traceId: readId(object, 'traceId', 'trace_id'),
    spanId: readId(object, 'spanId', 'span_id'),
    traceState: readText(object, 'traceState', 'trace_state'),
    attributes: readAttributes(object),
    droppedAttributesCount: readCount(object, 'droppedAttributesCount', 'dropped_attributes_count'),
    flags: readCount(object, 'flags'),
  }
}

function readAttributes(object: JsonObject): Attributes {
  return readList(object, 'attributes').map((value) => {
    const attribute = asObject(value, 'attributes')
    return [readText(attribute, 'key'), toValue(read(attribute, 'value'), 0)]
  })
}

/** The value of an `AnyValue`; null when none of its members is set. */
function toValue(value: JsonValue | undefined, depth: number): JsonValue {
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
function read(object: JsonObject, camel: string, snake = camel): JsonValue | undefined {
  const value = ownMember(object, camel) ?? null
  if (value !== null || snake === camel) return value ?? undefined
  return ownMember(object, snake) ?? undefined
}

function readList(object: JsonObject, camel: string, snake = camel): JsonValue[] {
  const value = read(object, camel, snake)
  if (value === undefined) return []
  if (!Array.isArray(value)) throw malformed(camel, 'a list', value)
  return value
}

function readText(object: JsonObject, camel: string, snake = camel): string {
  const value = read(object, camel, snake)
  return value === undefined ? '' : textOf(value)
}

function readId(object: JsonObject, camel: string, snake: string): string {
  return readText(object, camel, snake).toLowerCase()
}

function readCount(object: JsonObject, camel: string, snake = camel): number {
  const value = read(object, camel, snake)
  return value === undefined ? 0 : Number(BigInt.asUintN(32, toBigInt(value, camel)))
}

function readNanoseconds(object: JsonObject, camel: string, snake: string): bigint {
  const value = read(object, camel, snake)
  return value === undefined ? 0n : BigInt.asUintN(64, toBigInt(value, camel))
}

/** The number of an enumeration, from the number or the name; -1 when the name is unknown. */
function readEnum(object: JsonObject, key: string, prefix: string, names: readonly string[]): number {
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

function asObject(value: JsonValue, name: string): JsonObject {
  if (!isJsonObject(value)) throw malformed(name, 'an object', value)
  return value
}

function malformed(name: string, wanted: string, value: JsonValue): DecodeError {
  const shown =
    typeof value === 'object' ? (value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object') : JSON.stringify(value)
  return new DecodeError('malformed', `${name} must be ${wanted}, not ${shown.slice(0, 80)}`)
}
