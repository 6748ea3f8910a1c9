import { ProtobufReader } from './protobuf-reader.ts'
import { RequestParts, tag } from './request-parts.ts'
import type { DecodedRequest, ResourceSpans, ScopeSpans, Span, SpanEvent, SpanLink } from '../span.ts'

/**
 * Decodes an `ExportTraceServiceRequest`. Unknown fields and fields of another wire type are ignored; invalid UTF-8 is replaced and counted.
 * @throws DecodeError when the bytes are no such message, are nested too deeply, or hold many more parts than real spans of that size do.
 */
export function decodeProtobuf(bytes: Uint8Array): DecodedRequest {
  const reader = new ProtobufReader(bytes)
  const decoder = new SpanDecoder(reader)
  const resources = decoder.request()
  return { resources, replacedTexts: reader.replacedTexts }
}

class SpanDecoder {
  readonly #reader: ProtobufReader
  readonly #parts: RequestParts

  constructor(reader: ProtobufReader) {
    this.#reader = reader
    this.#parts = new RequestParts(reader)
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

  #resourceSpans(): ResourceSpans {
    const reader = this.#reader
    this.#parts.countRecord()
    const result: ResourceSpans = { resource: null, scopes: [] }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.#parts.resource((result.resource ??= { attributes: [], droppedAttributesCount: 0 }))
      else if (next === tag(2, 2)) result.scopes.push(this.#scopeSpans())
      else reader.skip(next)
    }
    reader.leave(outer)
    return result
  }

  #scopeSpans(): ScopeSpans {
    const reader = this.#reader
    this.#parts.countRecord()
    const result: ScopeSpans = { scope: null, spans: [] }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.#parts.scope((result.scope ??= { name: '', version: '' }))
      else if (next === tag(2, 2)) result.spans.push(this.#span())
      else reader.skip(next)
    }
    reader.leave(outer)
    return result
  }

  #span(): Span {
    const reader = this.#reader
    this.#parts.countRecord()
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
        this.#parts.attribute(span.attributes)
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
    this.#parts.countRecord()
    const event: SpanEvent = { name: '', timeNs: 0n, attributes: [], droppedAttributesCount: 0 }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 1)) event.timeNs = reader.readFixed64()
      else if (next === tag(2, 2)) event.name = reader.readKey()
      else if (next === tag(3, 2)) this.#parts.attribute(event.attributes)
      else if (next === tag(4, 0)) event.droppedAttributesCount = reader.readVarint()
      else reader.skip(next)
    }
    reader.leave(outer)
    return event
  }

  #link(): SpanLink {
    const reader = this.#reader
    this.#parts.countRecord()
    const link: SpanLink = { traceId: '', spanId: '', traceState: '', attributes: [], droppedAttributesCount: 0, flags: 0 }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) link.traceId = reader.readHex()
      else if (next === tag(2, 2)) link.spanId = reader.readHex()
      else if (next === tag(3, 2)) link.traceState = reader.readText()
      else if (next === tag(4, 2)) this.#parts.attribute(link.attributes)
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
}
