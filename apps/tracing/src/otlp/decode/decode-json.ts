import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import type { DecodedRequest, ResourceSpans, Scope, ScopeSpans, Span, SpanEvent, SpanLink } from '../span.ts'
import {
  asObject,
  malformed,
  type ParseJson,
  read,
  readAttributes,
  readCount,
  readEnum,
  readId,
  readList,
  readNanoseconds,
  readText,
  toResource,
} from './json-fields.ts'
import { spanKinds, statusCodes } from './span-enums.ts'

/**
 * Decodes an export request in OTLP/JSON. Keys are read in camel case and in snake case, ids in hex of any case, 64-bit numbers as text or number.
 * Unknown keys are ignored. Errors of `parse` pass through.
 * @throws DecodeError when the JSON is no such request or a value is nested too deeply; the message names the location
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
