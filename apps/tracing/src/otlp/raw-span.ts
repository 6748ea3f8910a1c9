import { jsonString } from '../payload/json-string.ts'
import { writeJson } from '../payload/write-json.ts'
import { expandAttributes } from './expand-attributes.ts'
import { integerValue, type JsonObject, type JsonValue, newObject } from './json-value.ts'
import type { Resource, Scope, Span, SpanLink } from './span.ts'
import { spanKinds, statusCodes } from './span-enums.ts'
import type { ExpandedEvent } from './span-events.ts'
import { toMicros, toNaiveText } from './span-times.ts'

export interface RawSpanParts {
  span: Span
  parentId: string | null
  attributes: JsonObject
  events: ExpandedEvent[]
  /** From `toRawLinks`. */
  links: JsonValue[]
  /** From `writeRawOrigin`, made once for all spans of a resource and scope. */
  origin: string
}

/** JSON text of the whole span, with all attributes nested. `end_time` is null when the span has not ended. */
export function writeRawSpan({ span, parentId, attributes, events, links, origin }: RawSpanParts): string {
  const kind = spanKinds[span.kind] ?? spanKinds[0]
  const status = statusCodes[span.statusCode] ?? statusCodes[0]
  return (
    `{"name":${jsonString(span.name)},` +
    `"context":{"trace_id":"${span.traceId}","span_id":"${span.spanId}","trace_state":${jsonString(span.traceState)}},` +
    `"kind":"${kind}","parent_id":${parentId === null ? 'null' : `"${parentId}"`},` +
    `"start_time":${timeText(span.startNs)},"end_time":${span.endNs === 0n ? 'null' : timeText(span.endNs)},` +
    `"status":{"code":"${status}","message":${jsonString(span.statusMessage)}},` +
    `"attributes":${writeJson(attributes)},"events":${writeJson(events.map(toRawEvent))},"links":${writeJson(links)},${origin}}`
  )
}

/** The members of a raw span that tell who emitted it. `resource` is JSON text. */
export function writeRawOrigin(resource: string, scope: Scope | null): string {
  return `"resource":${resource},"scope":${writeJson(scope && { name: scope.name, version: scope.version })}`
}

/** A resource as JSON. Conflicts of its attributes never reject a span. */
export function toRawResource(resource: Resource): JsonObject {
  return { attributes: expandAttributes(resource.attributes, 'keep'), dropped_attributes_count: resource.droppedAttributesCount }
}

function timeText(nanoseconds: bigint): string {
  return `"${toNaiveText(toMicros(nanoseconds))}"`
}

function toRawEvent({ event, attributes }: ExpandedEvent): JsonValue {
  return {
    name: event.name,
    timestamp: integerValue(event.timeNs),
    attributes,
    dropped_attributes_count: event.droppedAttributesCount,
  }
}

/** Links as JSON. Conflicts of their attributes never reject a span. */
export function toRawLinks(links: SpanLink[]): JsonValue[] {
  return links.map(toRawLink)
}

function toRawLink(link: SpanLink): JsonValue {
  return {
    trace_id: link.traceId,
    span_id: link.spanId,
    trace_state: link.traceState,
    attributes: link.attributes.length === 0 ? newObject() : expandAttributes(link.attributes, 'keep'),
    dropped_attributes_count: link.droppedAttributesCount,
    flags: link.flags,
  }
}
