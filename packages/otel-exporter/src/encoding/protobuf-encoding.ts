import type { Attributes, Link, SpanStatus } from '@opentelemetry/api'
import { findPlaceholder, isBigInt64, isInt64, membersWithin, placeholder, type ValueWalk } from './any-value.ts'
import { mergeNeighbours, sumOfLengths, type Bytes } from './concat-bytes.ts'
import { EncodedKeys } from './text-bytes.ts'
import { parseProtobufAnswer } from './read-protobuf.ts'
import { splitProtobufRequest } from './read-protobuf.ts'
import { ProtobufWriter, sizeOfVarint, type PairTags } from './protobuf-writer.ts'
import { createTextBytes, type TextBytes } from './text-bytes.ts'
import { toSpanFlags } from './span-numbers.ts'
import { groupSpans, type EncodedSpan, type ScopeGroup, type SpanEncoding } from './span-encoding.ts'
import { toUnixNano } from './span-numbers.ts'
import type { ReadableSpan, SpanEvent, SpanResource, SpanScope } from '../spans/readable-span.ts'

// Tags: field number times eight, plus 0 for varint, 1 for 64 bits, 2 for length-delimited, 5 for 32 bits.
const anyValue = { text: 10, bool: 16, int: 24, double: 33, array: 42, keyValueList: 50, bytes: 58 } as const
const keyValue = { key: 10, value: 18 } as const
const keyValueIn = (tag: number): PairTags => ({ pair: tag, holder: keyValue.value })
const span = {
  traceId: 10,
  spanId: 18,
  traceState: 26,
  parentSpanId: 34,
  name: 42,
  kind: 48,
  startTime: 57,
  endTime: 65,
  attributes: keyValueIn(74),
  droppedAttributes: 80,
  events: 90,
  droppedEvents: 96,
  links: 106,
  droppedLinks: 112,
  status: 122,
  flags: 133,
} as const
const event = { time: 9, name: 18, attributes: keyValueIn(26), droppedAttributes: 32 } as const
const link = { traceId: 10, spanId: 18, traceState: 26, attributes: keyValueIn(34), droppedAttributes: 40, flags: 53 } as const
const status = { message: 18, code: 24 } as const
const scope = { name: 10, version: 18, attributes: keyValueIn(26), droppedAttributes: 32 } as const
const scopeSpans = { scope: 10, spans: 18, schemaUrl: 26 } as const
const resourceAttributes = keyValueIn(10)
const members = keyValueIn(10)
const resourceSpans = { resource: 10, scopeSpans: 18, schemaUrl: 26 } as const

/** Most spans are longer than 127 and shorter than 16,384 bytes. */
const spanHeaderBytes = 2

/** Writes messages of OTLP. */
class OtlpWriter extends ProtobufWriter {
  readonly keys: EncodedKeys

  constructor(texts: TextBytes = createTextBytes()) {
    super(texts)
    const fields = new ProtobufWriter(texts)
    this.keys = new EncodedKeys((key) => {
      fields.text(keyValue.key, key)
      return fields.take()
    })
  }
}

/** OTLP as protobuf. `texts` is for tests; the platform decides otherwise. */
export function createProtobufEncoding(texts?: TextBytes): SpanEncoding {
  const writer = new OtlpWriter(texts)
  return {
    contentType: 'application/x-protobuf',
    encodeSpan(source) {
      // A span that failed to encode must not leave bytes in the next one.
      writer.rewind(0)
      const begun = writer.begin(scopeSpans.spans, spanHeaderBytes)
      writeSpan(writer, source)
      writer.end(begun, spanHeaderBytes)
      return writer.take()
    },
    joinRequest: (spans) => joinRequest(writer, spans),
    splitRequest: splitProtobufRequest,
    parseAnswer: parseProtobufAnswer,
  }
}

function writeSpan(writer: OtlpWriter, source: ReadableSpan): void {
  const context = source.spanContext()
  writer.hex(span.traceId, context.traceId)
  writer.hex(span.spanId, context.spanId)
  const traceState = context.traceState?.serialize()
  if (traceState) writer.text(span.traceState, traceState)
  if (source.parentSpanContext?.spanId) writer.hex(span.parentSpanId, source.parentSpanContext.spanId)
  writer.text(span.name, String(source.name))
  writer.varint(span.kind, (source.kind ?? -1) + 1)
  const start = toUnixNano(source.startTime)
  writer.fixed64(span.startTime, start.low, start.high)
  const end = toUnixNano(source.endTime)
  writer.fixed64(span.endTime, end.low, end.high)
  writeAttributes(writer, span.attributes, source.attributes)
  writeCount(writer, span.droppedAttributes, source.droppedAttributesCount)
  for (const item of source.events) writeEvent(writer, item)
  writeCount(writer, span.droppedEvents, source.droppedEventsCount)
  for (const item of source.links) writeLink(writer, item)
  writeCount(writer, span.droppedLinks, source.droppedLinksCount)
  writeStatus(writer, source.status)
  writer.fixed32(span.flags, toSpanFlags(context.traceFlags, source.parentSpanContext?.isRemote))
}

function writeCount(writer: OtlpWriter, tag: number, count: number | undefined): void {
  if (count) writer.varint(tag, count)
}

function writeStatus(writer: OtlpWriter, { code, message }: SpanStatus): void {
  const start = writer.begin(span.status)
  if (message) writer.text(status.message, String(message))
  if (code) writer.varint(status.code, code)
  writer.end(start)
}

function writeEvent(writer: OtlpWriter, source: SpanEvent): void {
  const start = writer.begin(span.events)
  const { low, high } = toUnixNano(source.time)
  writer.fixed64(event.time, low, high)
  writer.text(event.name, String(source.name))
  if (source.attributes) writeAttributes(writer, event.attributes, source.attributes)
  writeCount(writer, event.droppedAttributes, source.droppedAttributesCount)
  writer.end(start)
}

function writeLink(writer: OtlpWriter, source: Link): void {
  const start = writer.begin(span.links)
  writer.hex(link.traceId, source.context.traceId)
  writer.hex(link.spanId, source.context.spanId)
  const traceState = source.context.traceState?.serialize()
  if (traceState) writer.text(link.traceState, traceState)
  if (source.attributes) writeAttributes(writer, link.attributes, source.attributes)
  writeCount(writer, link.droppedAttributes, source.droppedAttributesCount)
  writer.fixed32(link.flags, toSpanFlags(source.context.traceFlags, source.context.isRemote))
  writer.end(start)
}

function writeAttributes(writer: OtlpWriter, tags: PairTags, attributes: Attributes): void {
  for (const key of Object.keys(attributes)) {
    const position = writer.position
    try {
      writeKeyValue(writer, tags, key, attributes[key])
    } catch {
      writer.rewind(position)
      writeKeyValue(writer, tags, key, placeholder.unreadable)
    }
  }
}

/** The usual values have a size that is known before they are written. */
function writeKeyValue(writer: OtlpWriter, tags: PairTags, key: string, value: unknown, walk?: ValueWalk): void {
  const field = writer.keys.find(key)
  if (typeof value === 'string') writer.textPair(tags, field, anyValue.text, value)
  else if (typeof value === 'boolean') {
    writer.pair(tags, field, 2)
    writer.varint(anyValue.bool, value ? 1 : 0)
  } else if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
    writer.pair(tags, field, 1 + sizeOfVarint(value))
    writer.varint(anyValue.int, value)
  } else if (typeof value === 'number' && !Number.isInteger(value)) {
    writer.pair(tags, field, 9)
    writer.double(anyValue.double, value)
  } else writeOtherKeyValue(writer, tags, key, value, walk ?? { path: [], count: 0 })
}

function writeOtherKeyValue(writer: OtlpWriter, tags: PairTags, key: string, value: unknown, walk: ValueWalk): void {
  const start = writer.begin(tags.pair)
  writer.text(keyValue.key, key)
  writeHeldValue(writer, tags.holder, value, walk)
  writer.end(start)
}

function writeHeldValue(writer: OtlpWriter, tag: number, value: unknown, walk: ValueWalk): void {
  const start = writer.begin(tag)
  writeAnyValue(writer, value, walk)
  writer.end(start)
}

/** A missing value leaves the message empty. */
function writeAnyValue(writer: OtlpWriter, value: unknown, walk: ValueWalk): void {
  if (typeof value === 'string') writer.text(anyValue.text, value)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (typeof value === 'boolean') writer.varint(anyValue.bool, value ? 1 : 0)
  else if (typeof value === 'bigint') writeBigInt(writer, value)
  else if (value instanceof Uint8Array) writer.bytes(anyValue.bytes, value)
  else if (typeof value === 'object' && value !== null) writeObject(writer, value, walk)
}

function writeNumber(writer: OtlpWriter, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) writer.varint(anyValue.int, value)
  else if (isInt64(value)) writer.bigInt64(anyValue.int, BigInt(value))
  else writer.double(anyValue.double, value)
}

function writeBigInt(writer: OtlpWriter, value: bigint): void {
  if (isBigInt64(value)) writer.bigInt64(anyValue.int, value)
  else writer.text(anyValue.text, value.toString())
}

function writeObject(writer: OtlpWriter, value: object, walk: ValueWalk): void {
  const text = findPlaceholder(walk, value)
  if (text !== undefined) {
    writer.text(anyValue.text, text)
    return
  }
  walk.path.push(value)
  const start = writer.begin(Array.isArray(value) ? anyValue.array : anyValue.keyValueList)
  if (Array.isArray(value)) {
    for (const item of membersWithin<unknown>(walk, value, placeholder.tooMany)) writeHeldValue(writer, 10, item, walk)
  } else {
    const more: [string, unknown] = [placeholder.tooMany, true]
    for (const [key, item] of membersWithin(walk, Object.entries(value), more)) writeKeyValue(writer, members, key, item, walk)
  }
  writer.end(start)
  walk.path.pop()
}

function joinRequest(writer: OtlpWriter, spans: readonly EncodedSpan[]): Bytes[] {
  const chunks: Bytes[] = []
  for (const [resource, groups] of groupSpans(spans)) {
    const inner: Bytes[] = [encodeResource(writer, resource)]
    for (const group of groups) inner.push(...prefixed(resourceSpans.scopeSpans, encodeScopeSpans(writer, group)))
    inner.push(encodeText(writer, resourceSpans.schemaUrl, resource.schemaUrl))
    chunks.push(...prefixed(10, inner))
  }
  return mergeNeighbours(chunks)
}

function encodeScopeSpans(writer: OtlpWriter, group: ScopeGroup): Bytes[] {
  return [encodeScope(writer, group.scope), ...group.spans, encodeText(writer, scopeSpans.schemaUrl, group.scope.schemaUrl)]
}

function encodeResource(writer: OtlpWriter, { attributes }: SpanResource): Bytes {
  const start = writer.begin(resourceSpans.resource)
  writeAttributes(writer, resourceAttributes, attributes)
  writer.end(start)
  return writer.take()
}

/** Scopes may have attributes, which the SDK's type does not declare yet. */
function encodeScope(writer: OtlpWriter, source: SpanScope & { attributes?: Attributes; droppedAttributesCount?: number }): Bytes {
  const start = writer.begin(scopeSpans.scope)
  writer.text(scope.name, source.name)
  if (source.version) writer.text(scope.version, source.version)
  if (source.attributes) writeAttributes(writer, scope.attributes, source.attributes)
  writeCount(writer, scope.droppedAttributes, source.droppedAttributesCount)
  writer.end(start)
  return writer.take()
}

function encodeText(writer: OtlpWriter, tag: number, text: string | undefined): Bytes {
  if (text) writer.text(tag, text)
  return writer.take()
}

function prefixed(tag: number, chunks: Bytes[]): Bytes[] {
  return [header(tag, sumOfLengths(chunks)), ...chunks]
}

/** All tags here are below 128. */
function header(tag: number, length: number): Bytes {
  const bytes = new Uint8Array(1 + sizeOfVarint(length))
  bytes[0] = tag
  let rest = length
  for (let at = 1; at < bytes.length; at++) {
    bytes[at] = at + 1 < bytes.length ? (rest % 0x80) | 0x80 : rest
    rest = Math.floor(rest / 0x80)
  }
  return bytes
}
