import { type ScratchBuffer, writeJson } from '@heddle/json'
import { toNaiveText } from '../payload/naive-time.ts'
import { rawSpanMarkers, withoutMarkers } from '../payload/raw-span-text.ts'
import type { LeafTexts } from './mark-leaves.ts'
import { type SharingCall, StoredSpanWriter } from './stored-span-writer.ts'
import { type Expansion, expandAttributes } from './expand-attributes.ts'
import { integerValue, type JsonObject, type JsonValue, newObject } from './json-value.ts'
import type { Resource, Scope, Span, SpanLink } from './span.ts'
import { spanKinds, statusCodes } from './decode/span-enums.ts'
import type { ExpandedEvent } from './map/attributes/span-events.ts'
import { toMicros } from './map/fields/span-times.ts'

/** The parts of a raw span. */
export interface RawSpan {
  span: Span
  parentId: string | null
  attributes: JsonObject
  events: ExpandedEvent[]
  /** From `toRawLinks`. */
  links: JsonValue[]
  /** Attributes of the resource as `origin` has them, the same value for all its spans; undefined without a resource. */
  resource: JsonValue | undefined
  /** From `writeRawOrigin`, made once for all spans of a resource and scope. */
  origin: Buffer
}

/**
 * JSON text of the whole span as stored with its call: parts that the call has already, in its values or in these texts of it, are replaced by a marker. All attributes are nested;
 * `end_time` is null if the span has not ended.
 */
export function writeRawSpan(rawSpan: RawSpan, call: SharingCall, texts: LeafTexts, scratch: ScratchBuffer): Uint8Array {
  const { span, attributes, events, links, origin } = rawSpan
  const writer = new StoredSpanWriter(call, texts, scratch)
  writer.add('{"name":')
  writer.string(span.name)
  writer.add(',"context":')
  addContext(writer, span, call)
  writer.add(',"kind":"')
  writer.add(spanKinds[span.kind] ?? spanKinds[0])
  writer.add('","parent_id":')
  addPlace(writer, rawSpan, call)
  writer.add(',"status":{"code":"')
  writer.add(statusCodes[span.statusCode] ?? statusCodes[0])
  writer.add('","message":')
  writer.string(span.statusMessage)
  writer.add('},"attributes":')
  writer.attributes(attributes)
  writer.add(',"events":')
  writer.value(events.map(toRawEvent))
  writer.add(',"links":')
  writer.value(links)
  scratch.addBytes(origin)
  return scratch.take()
}

function addContext(writer: StoredSpanWriter, { traceId, spanId, traceState }: Span, call: SharingCall): void {
  if (traceState === '' && traceId === call.trace_id && spanId === call.id) return writer.add(rawSpanMarkers.context)
  writer.add('{"trace_id":"')
  writer.add(traceId)
  writer.add('","span_id":"')
  writer.add(spanId)
  writer.add('","trace_state":')
  writer.string(traceState)
  writer.add('}')
}

/** The parent and the times. A call without a time may be given one later, so its span keeps its own. */
function addPlace(writer: StoredSpanWriter, { span, parentId }: RawSpan, call: SharingCall): void {
  const startedAt = toMicros(span.startNs)
  const endedAt = span.endNs === 0n ? null : toMicros(span.endNs)
  const isShared = parentId === call.parent_id && startedAt === call.started_at && endedAt === call.ended_at
  if (isShared && startedAt > 0 && endedAt !== null) return writer.add(rawSpanMarkers.place)
  writer.value(parentId)
  writer.add(',"start_time":')
  writer.string(toNaiveText(startedAt))
  writer.add(',"end_time":')
  writer.value(endedAt === null ? null : toNaiveText(endedAt))
}

/** The end of a raw span, which identifies its emitter. `resource` is JSON text. */
export function writeRawOrigin(resource: string, scope: Scope | null): Buffer {
  const scopeText = writeJson(scope && { name: scope.name, version: scope.version })
  return Buffer.from(withoutMarkers(`,"resource":${resource},"scope":${scopeText}}`))
}

/** A resource as JSON. Conflicts of its attributes never reject a span. */
export function toRawResource(resource: Resource, expansion: Expansion): JsonObject {
  return { attributes: expandAttributes(resource.attributes, 'keep', expansion), dropped_attributes_count: resource.droppedAttributesCount }
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
export function toRawLinks(links: SpanLink[], expansion: Expansion): JsonValue[] {
  return links.map((link) => toRawLink(link, expansion))
}

function toRawLink(link: SpanLink, expansion: Expansion): JsonValue {
  return {
    trace_id: link.traceId,
    span_id: link.spanId,
    trace_state: link.traceState,
    attributes: link.attributes.length === 0 ? newObject() : expandAttributes(link.attributes, 'keep', expansion),
    dropped_attributes_count: link.droppedAttributesCount,
    flags: link.flags,
  }
}
