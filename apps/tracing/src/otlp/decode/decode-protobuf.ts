import { DecodeError } from './decode-error.ts'
import { doubleValue, integerValue, type JsonObject, type JsonValue, newObject } from '../json-value.ts'
import { ProtobufReader } from './protobuf-reader.ts'
import type { Attributes, DecodedRequest, Resource, ResourceSpans, Scope, ScopeSpans, Span, SpanEvent, SpanLink } from '../span.ts'

/** Levels of lists and key-value lists in one attribute value. */
const maxDepth = 100
/** Parts that any request may have, however small. */
const freeParts = 10_000
/** Spans, events and links of one request, with their scopes and resources. */
const maxRecords = 1_000_000
/** Attributes and values of one request. */
const maxValues = 2_000_000

// A tag is the field number times 8 plus the wire type: 0 integer, 1 eight bytes, 2 text, bytes or message, 5 four bytes.
const tag = (field: number, type: 0 | 1 | 2 | 5): number => field * 8 + type

/**
 * Decodes an `ExportTraceServiceRequest`. Unknown fields and fields of another wire type are passed over; invalid UTF-8 is replaced and counted.
 * @throws DecodeError when the bytes are no such message, are nested too deeply, or hold many more parts than real spans of that size do.
 */
export function decodeProtobuf(bytes: Uint8Array): DecodedRequest {
  const reader = new ProtobufReader(bytes)
  const decoder = new Decoder(reader)
  const resources = decoder.request()
  return { resources, replacedTexts: reader.replacedTexts }
}

class Decoder {
  readonly #reader: ProtobufReader
  // Records weigh many times their smallest encoding of two bytes: without a limit a small request could fill the memory.
  #recordsLeft: number
  #valuesLeft: number

  constructor(reader: ProtobufReader) {
    this.#reader = reader
    this.#recordsLeft = Math.min(maxRecords, freeParts + Math.floor(reader.size / 16))
    this.#valuesLeft = Math.min(maxValues, freeParts + Math.floor(reader.size / 4))
  }

  request(): ResourceSpans[] {
    const reader = this.#reader
    const resources: ResourceSpans[] = []
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) resources.push(this.#resourceSpans())
      else reader.skip(next)
    }
    return resources
  }

  #countRecord(): void {
    this.#recordsLeft -= 1
    if (this.#recordsLeft < 0)
      throw new DecodeError(
        'too_many',
        `the export request holds more spans, events or links than its size allows, which are at most ${maxRecords}`,
      )
  }

  #countValue(): void {
    this.#valuesLeft -= 1
    if (this.#valuesLeft < 0)
      throw new DecodeError(
        'too_many',
        `the export request holds more attributes or values than its size allows, which are at most ${maxValues}`,
      )
  }

  #resourceSpans(): ResourceSpans {
    const reader = this.#reader
    this.#countRecord()
    const result: ResourceSpans = { resource: null, scopes: [] }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.#resource((result.resource ??= { attributes: [], droppedAttributesCount: 0 }))
      else if (next === tag(2, 2)) result.scopes.push(this.#scopeSpans())
      else reader.skip(next)
    }
    reader.leave(outer)
    return result
  }

  #resource(resource: Resource): void {
    const reader = this.#reader
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.#attribute(resource.attributes)
      else if (next === tag(2, 0)) resource.droppedAttributesCount = reader.readVarint()
      else reader.skip(next)
    }
    reader.leave(outer)
  }

  #scopeSpans(): ScopeSpans {
    const reader = this.#reader
    this.#countRecord()
    const result: ScopeSpans = { scope: null, spans: [] }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.#scope((result.scope ??= { name: '', version: '' }))
      else if (next === tag(2, 2)) result.spans.push(this.#span())
      else reader.skip(next)
    }
    reader.leave(outer)
    return result
  }

  #scope(scope: Scope): void {
    const reader = this.#reader
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) scope.name = reader.readKey()
      else if (next === tag(2, 2)) scope.version = reader.readKey()
      else reader.skip(next)
    }
    reader.leave(outer)
  }

  #span(): Span {
    const reader = this.#reader
    this.#countRecord()
    const span: Span = {
      traceId: '',
      spanId: '',
      parentSpanId: '',
      traceState: '',
      name: '',
      kind: 0,
      startNs: 0n,
      endNs: 0n,
      attributes: [],
      events: [],
      links: [],
      statusCode: 0,
      statusMessage: '',
    }
    const outer = reader.enter()
    while (reader.hasMore) this.#spanField(span, reader.readTag())
    reader.leave(outer)
    return span
  }

  #spanField(span: Span, next: number): void {
    const reader = this.#reader
    switch (next) {
      case 10: // trace_id, tag(1, 2)
        span.traceId = reader.readHex()
        break
      case 18: // span_id, tag(2, 2)
        span.spanId = reader.readHex()
        break
      case 26: // trace_state, tag(3, 2)
        span.traceState = reader.readText()
        break
      case 34: // parent_span_id, tag(4, 2)
        span.parentSpanId = reader.readHex()
        break
      case 42: // name, tag(5, 2)
        span.name = reader.readKey()
        break
      case 48: // kind, tag(6, 0)
        span.kind = reader.readEnum()
        break
      case 57: // start_time_unix_nano, tag(7, 1)
        span.startNs = reader.readFixed64()
        break
      case 65: // end_time_unix_nano, tag(8, 1)
        span.endNs = reader.readFixed64()
        break
      case 74: // attributes, tag(9, 2)
        this.#attribute(span.attributes)
        break
      case 90: // events, tag(11, 2)
        span.events.push(this.#event())
        break
      case 106: // links, tag(13, 2)
        span.links.push(this.#link())
        break
      case 122: // status, tag(15, 2)
        this.#status(span)
        break
      default:
        reader.skip(next)
    }
  }

  #event(): SpanEvent {
    const reader = this.#reader
    this.#countRecord()
    const event: SpanEvent = { name: '', timeNs: 0n, attributes: [], droppedAttributesCount: 0 }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 1)) event.timeNs = reader.readFixed64()
      else if (next === tag(2, 2)) event.name = reader.readKey()
      else if (next === tag(3, 2)) this.#attribute(event.attributes)
      else if (next === tag(4, 0)) event.droppedAttributesCount = reader.readVarint()
      else reader.skip(next)
    }
    reader.leave(outer)
    return event
  }

  #link(): SpanLink {
    const reader = this.#reader
    this.#countRecord()
    const link: SpanLink = { traceId: '', spanId: '', traceState: '', attributes: [], droppedAttributesCount: 0, flags: 0 }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) link.traceId = reader.readHex()
      else if (next === tag(2, 2)) link.spanId = reader.readHex()
      else if (next === tag(3, 2)) link.traceState = reader.readText()
      else if (next === tag(4, 2)) this.#attribute(link.attributes)
      else if (next === tag(5, 0)) link.droppedAttributesCount = reader.readVarint()
      else if (next === tag(6, 5)) link.flags = reader.readFixed32()
      else reader.skip(next)
    }
    reader.leave(outer)
    return link
  }

  #status(span: Span): void {
    const reader = this.#reader
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(2, 2)) span.statusMessage = reader.readText()
      else if (next === tag(3, 0)) span.statusCode = reader.readEnum()
      else reader.skip(next)
    }
    reader.leave(outer)
  }

  #attribute(attributes: Attributes): void {
    const reader = this.#reader
    this.#countValue()
    let key = ''
    let value: JsonValue = null
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) key = reader.readKey()
      else if (next === tag(2, 2)) value = this.#value(0)
      else reader.skip(next)
    }
    reader.leave(outer)
    attributes.push([key, value])
  }

  #value(depth: number): JsonValue {
    const reader = this.#reader
    let value: JsonValue = null
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) value = depth === 0 ? reader.readAttributeText() : reader.readText()
      else if (next === tag(2, 0)) value = reader.readVarint() !== 0
      else if (next === tag(3, 0)) value = integerValue(reader.readInt64())
      else if (next === tag(4, 1)) value = doubleValue(reader.readDouble())
      else if (next === tag(5, 2)) value = this.#list(depth + 1)
      else if (next === tag(6, 2)) value = this.#object(depth + 1)
      else if (next === tag(7, 2)) value = reader.readBase64()
      else reader.skip(next)
    }
    reader.leave(outer)
    return value
  }

  #list(depth: number): JsonValue[] {
    const reader = this.#reader
    this.#enterLevel(depth)
    const list: JsonValue[] = []
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) {
        this.#countValue()
        list.push(this.#value(depth))
      } else reader.skip(next)
    }
    reader.leave(outer)
    return list
  }

  #object(depth: number): JsonObject {
    const reader = this.#reader
    this.#enterLevel(depth)
    const object = newObject()
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.#member(object, depth)
      else reader.skip(next)
    }
    reader.leave(outer)
    return object
  }

  #member(object: JsonObject, depth: number): void {
    const reader = this.#reader
    this.#countValue()
    let key = ''
    let value: JsonValue = null
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) key = reader.readKey()
      else if (next === tag(2, 2)) value = this.#value(depth)
      else reader.skip(next)
    }
    reader.leave(outer)
    object[key] = value
  }

  #enterLevel(depth: number): void {
    this.#countValue()
    if (depth > maxDepth) throw new DecodeError('too_deep', `an attribute value is nested more than ${maxDepth} levels deep`)
  }
}
