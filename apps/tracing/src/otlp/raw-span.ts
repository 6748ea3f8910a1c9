import { type JsonObject, type JsonValue, integerValue, newObject } from './json-value.ts'
import { expandAttributes } from './expand-attributes.ts'
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
  /** From `toRawResource`, made once for all spans of a resource. */
  resource: JsonObject | null
  scope: Scope | null
}

/** The whole span as JSON, with all attributes nested. `end_time` is null when the span has not ended. */
export function toRawSpan({ span, parentId, attributes, events, links, resource, scope }: RawSpanParts): JsonObject {
  return {
    name: span.name,
    context: { trace_id: span.traceId, span_id: span.spanId, trace_state: span.traceState },
    kind: spanKinds[span.kind] ?? spanKinds[0],
    parent_id: parentId,
    start_time: toNaiveText(toMicros(span.startNs)),
    end_time: span.endNs === 0n ? null : toNaiveText(toMicros(span.endNs)),
    status: { code: statusCodes[span.statusCode] ?? statusCodes[0], message: span.statusMessage },
    attributes,
    events: events.map(toRawEvent),
    links,
    resource,
    scope: scope && { name: scope.name, version: scope.version },
  }
}

/** A resource as JSON. Conflicts of its attributes never reject a span. */
export function toRawResource(resource: Resource): JsonObject {
  return { attributes: expandAttributes(resource.attributes, 'keep'), dropped_attributes_count: resource.droppedAttributesCount }
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
