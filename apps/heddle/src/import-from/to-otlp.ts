import { isJsonNumber, stringifyJson } from '@heddle/json'
import { isJsonObject } from '@heddle/core-api/internal'
import type { ForeignSpan, Json, JsonObject } from './foreign-item.ts'

const int64 = 2n ** 63n

/** An export request of OTLP/JSON with the spans. */
export function toExportRequest(spans: readonly ForeignSpan[], service: string): Buffer {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  const sent = spans.map(toSpan)
  return Buffer.from(stringifyJson({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: service }, spans: sent }] }] }))
}

function toSpan({ traceId, spanId, parentSpanId, name, startNs, endNs, attributes, error, events }: ForeignSpan): JsonObject {
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    startTimeUnixNano: String(startNs),
    ...(endNs !== undefined && { endTimeUnixNano: String(endNs) }),
    attributes: toAttributes(attributes),
    events: events.map((event) => ({ name: event.name, timeUnixNano: String(event.timeNs), attributes: toAttributes(event.attributes) })),
    ...(error !== undefined && { status: { code: 2, message: error } }),
  }
}

function toAttributes(attributes: JsonObject): Json[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }))
}

/** `AnyValue` of opentelemetry/proto/common/v1/common.proto. */
function toAnyValue(value: Json): JsonObject {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number' || isJsonNumber(value)) return isInt64(String(value)) ? { intValue: String(value) } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } }
  return isJsonObject(value) ? { kvlistValue: { values: toAttributes(value) } } : {}
}

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt(text) < int64 && BigInt(text) >= -int64
}
