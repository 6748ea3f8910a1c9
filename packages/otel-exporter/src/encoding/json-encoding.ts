import type { Attributes, Link, SpanStatus } from '@opentelemetry/api'
import { findPlaceholder, isBigInt64, isInt64, membersWithin, placeholder, type ValueWalk } from './any-value.ts'
import { concatBytes, type Bytes } from './concat-bytes.ts'
import { toSpanFlags } from './span-flags.ts'
import { groupSpans, type EncodedSpan, type PartialSuccess, type ScopeGroup, type SpanEncoding } from './span-encoding.ts'
import { toUnixNanoText } from './unix-nano.ts'
import type { ReadableSpan, SpanEvent, SpanResource, SpanScope } from '../readable-span.ts'

type Json = Record<string, unknown>

/** OTLP as JSON: hexadecimal ids, 64-bit integers as text, enumerations as numbers. */
export function createJsonEncoding(): SpanEncoding {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  return {
    contentType: 'application/json',
    encodeSpan: (span) => encoder.encode(JSON.stringify(toJsonSpan(span))),
    joinRequest: (spans) => [concatBytes(joinRequest(spans).map((part) => (typeof part === 'string' ? encoder.encode(part) : part)))],
    splitRequest(body) {
      const [older, newer] = splitRequest(decoder.decode(body)) ?? []
      return older && newer && [encoder.encode(JSON.stringify(older)), encoder.encode(JSON.stringify(newer))]
    },
    parseAnswer: (body) => parseAnswer(decoder.decode(body)),
  }
}

function toJsonSpan(span: ReadableSpan): Json {
  const context = span.spanContext()
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    traceState: context.traceState?.serialize() || undefined,
    parentSpanId: span.parentSpanContext?.spanId || undefined,
    name: String(span.name),
    kind: (span.kind ?? -1) + 1,
    startTimeUnixNano: toUnixNanoText(span.startTime),
    endTimeUnixNano: toUnixNanoText(span.endTime),
    attributes: toAttributes(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount || undefined,
    events: span.events.length === 0 ? undefined : span.events.map(toEvent),
    droppedEventsCount: span.droppedEventsCount || undefined,
    status: toStatus(span.status),
    links: span.links.length === 0 ? undefined : span.links.map(toLink),
    droppedLinksCount: span.droppedLinksCount || undefined,
    flags: toSpanFlags(context.traceFlags, span.parentSpanContext?.isRemote),
  }
}

function toStatus({ code, message }: SpanStatus): Json {
  return { code, message: message ? String(message) : undefined }
}

function toEvent(event: SpanEvent): Json {
  return {
    timeUnixNano: toUnixNanoText(event.time),
    name: String(event.name),
    attributes: toAttributes(event.attributes ?? {}),
    droppedAttributesCount: event.droppedAttributesCount ?? 0,
  }
}

function toLink({ context, attributes, droppedAttributesCount }: Link): Json {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    traceState: context.traceState?.serialize() || undefined,
    attributes: toAttributes(attributes ?? {}),
    droppedAttributesCount: droppedAttributesCount ?? 0,
    flags: toSpanFlags(context.traceFlags, context.isRemote),
  }
}

function toAttributes(attributes: Attributes): Json[] {
  return Object.keys(attributes).map((key) => ({ key, value: toReadableValue(attributes, key) }))
}

function toReadableValue(attributes: Attributes, key: string): Json {
  try {
    return toAnyValue(attributes[key], { path: [], count: 0 })
  } catch {
    return { stringValue: placeholder.unreadable }
  }
}

/** Half a surrogate pair becomes U+FFFD, as it does in protobuf. */
function toAnyValue(value: unknown, walk: ValueWalk): Json {
  if (typeof value === 'string') return { stringValue: value.toWellFormed() }
  if (typeof value === 'number') return toNumber(value)
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') return isBigInt64(value) ? { intValue: value.toString() } : { stringValue: value.toString() }
  if (value instanceof Uint8Array) return { bytesValue: toBase64(value) }
  return typeof value === 'object' && value !== null ? toObjectValue(value, walk) : {}
}

/** JSON has no word for what is not finite; OTLP takes these names. */
function toNumber(value: number): Json {
  if (isInt64(value)) return { intValue: Number.isSafeInteger(value) ? String(value) : BigInt(value).toString() }
  return { doubleValue: Number.isFinite(value) ? value : String(value) }
}

function toObjectValue(value: object, walk: ValueWalk): Json {
  const text = findPlaceholder(walk, value)
  if (text !== undefined) return { stringValue: text }
  walk.path.push(value)
  const result = Array.isArray(value) ? toArrayValue(value, walk) : toKeyValueList(value, walk)
  walk.path.pop()
  return result
}

function toArrayValue(items: unknown[], walk: ValueWalk): Json {
  const members = [...membersWithin(walk, items, placeholder.tooMany)]
  return { arrayValue: { values: members.map((item) => toAnyValue(item, walk)) } }
}

function toKeyValueList(value: object, walk: ValueWalk): Json {
  const members = [...membersWithin<[string, unknown]>(walk, Object.entries(value), [placeholder.tooMany, true])]
  return { kvlistValue: { values: members.map(([key, item]) => ({ key, value: toAnyValue(item, walk) })) } }
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(parts.join(''))
}

/** Parts of a JSON text, in order: texts of ours between spans that are bytes already. */
type Parts = (string | Bytes)[]

function joinRequest(spans: readonly EncodedSpan[]): Parts {
  const resources = [...groupSpans(spans)].map(([resource, groups]) => joinResource(resource, groups))
  return ['{"resourceSpans":[', ...separate(resources), ']}']
}

function joinResource(resource: SpanResource, groups: readonly ScopeGroup[]): Parts {
  const described = JSON.stringify({ attributes: toAttributes(resource.attributes), droppedAttributesCount: 0 })
  return [`{"resource":${described},"scopeSpans":[`, ...separate(groups.map(joinScope)), `]${schemaUrlOf(resource.schemaUrl)}}`]
}

function joinScope({ scope, spans }: ScopeGroup): Parts {
  const separated = separate(spans.map((bytes) => [bytes]))
  return [`{"scope":${JSON.stringify(toScope(scope))},"spans":[`, ...separated, `]${schemaUrlOf(scope.schemaUrl)}}`]
}

function separate(items: readonly Parts[]): Parts {
  return items.flatMap((item, index) => (index === 0 ? item : [',', ...item]))
}

/** Scopes may carry attributes, which the type of the SDK does not name yet. */
function toScope(scope: SpanScope & { attributes?: Attributes; droppedAttributesCount?: number }): Json {
  return {
    name: scope.name,
    version: scope.version,
    attributes: scope.attributes && toAttributes(scope.attributes),
    droppedAttributesCount: scope.droppedAttributesCount,
  }
}

function schemaUrlOf(url: string | undefined): string {
  return url ? `,"schemaUrl":${JSON.stringify(url)}` : ''
}

interface JsonRequest {
  resourceSpans: { scopeSpans: { spans: unknown[] }[] }[]
}

function splitRequest(text: string): [JsonRequest, JsonRequest] | undefined {
  try {
    const request = JSON.parse(text) as JsonRequest
    const half = request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)).length >> 1
    return half === 0 ? undefined : [selectSpans(request, (index) => index < half), selectSpans(request, (index) => index >= half)]
  } catch {
    return undefined
  }
}

function selectSpans(request: JsonRequest, isWanted: (index: number) => boolean): JsonRequest {
  let index = 0
  const resources = request.resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans
      .map((scope) => ({ ...scope, spans: scope.spans.filter(() => isWanted(index++)) }))
      .filter(({ spans }) => spans.length > 0),
  }))
  return { resourceSpans: resources.filter(({ scopeSpans }) => scopeSpans.length > 0) }
}

function parseAnswer(text: string): PartialSuccess | undefined {
  const partial = findPartialSuccess(text)
  const rejected = Number(partial?.['rejectedSpans'] ?? partial?.['rejected_spans'] ?? 0)
  const message = partial?.['errorMessage'] ?? partial?.['error_message'] ?? ''
  const answer = { rejectedSpans: rejected > 0 ? rejected : 0, errorMessage: typeof message === 'string' ? message : '' }
  return answer.rejectedSpans > 0 || answer.errorMessage !== '' ? answer : undefined
}

function findPartialSuccess(text: string): Json | undefined {
  try {
    const answer = JSON.parse(text) as Json | null
    const partial = answer?.['partialSuccess'] ?? answer?.['partial_success']
    return typeof partial === 'object' && partial !== null ? (partial as Json) : undefined
  } catch {
    return undefined
  }
}
