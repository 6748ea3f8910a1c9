import type { TextPiece } from '@heddle/datastore'
import { jsonString } from '../payload/json-string.ts'
import { writeJson } from '../payload/write-json.ts'
import { type SharingCall, StoredSpanWriter } from './stored-span-writer.ts'
import { expandAttributes } from './expand-attributes.ts'
import { integerValue, type JsonObject, type JsonValue, newObject } from './json-value.ts'
import type { Resource, Scope, Span, SpanLink } from './span.ts'
import { spanKinds, statusCodes } from './span-enums.ts'
import type { ExpandedEvent } from './span-events.ts'
import { toMicros, toNaiveText } from './span-times.ts'

/** What a raw span is made of. */
export interface RawSpan {
  span: Span
  parentId: string | null
  attributes: JsonObject
  events: ExpandedEvent[]
  /** From `toRawLinks`. */
  links: JsonValue[]
  /** From `writeRawOrigin`, made once for all spans of a resource and scope. */
  origin: string
}

/**
 * JSON text of the whole span as it is stored with its call: what the call has already stands there as a marker.
 * All attributes are nested; `end_time` is null when the span has not ended.
 */
export function writeRawSpan({ span, parentId, attributes, events, links, origin }: RawSpan, call: SharingCall): TextPiece[] {
  const kind = spanKinds[span.kind] ?? spanKinds[0]
  const status = statusCodes[span.statusCode] ?? statusCodes[0]
  const writer = new StoredSpanWriter(call)
  writer.add(
    `{"name":${jsonString(span.name)},` +
      `"context":{"trace_id":"${span.traceId}","span_id":"${span.spanId}","trace_state":${jsonString(span.traceState)}},` +
      `"kind":"${kind}","parent_id":${parentId === null ? 'null' : `"${parentId}"`},` +
      `"start_time":${timeText(span.startNs)},"end_time":${span.endNs === 0n ? 'null' : timeText(span.endNs)},` +
      `"status":{"code":"${status}","message":${jsonString(span.statusMessage)}},"attributes":`,
  )
  writer.attributes(attributes)
  writer.add(',"events":')
  writer.value(events.map(toRawEvent))
  writer.add(',"links":')
  writer.value(links)
  writer.add(`,${origin}}`)
  return writer.finish()
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
