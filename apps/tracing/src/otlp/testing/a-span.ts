import { parseJson, stringifyJson } from '@heddle/json'
import { createExpansion, expandAttributes } from '../expand-attributes.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import { type ExpandedEvent, expandEvents } from '../map/attributes/span-events.ts'
import type { Attributes, Span, SpanEvent } from '../span.ts'

/** A valid span without parent; `overrides` say what matters to a test. */
export function aSpan(overrides: Partial<Span> = {}): Span {
  return {
    traceId: '0000000000000000000000000abc0000',
    spanId: '0000000000001001',
    parentSpanId: '',
    traceState: '',
    name: 'f',
    kind: 1,
    startNs: 1767225600000000000n,
    endNs: 1767225601500000000n,
    attributes: [],
    events: [],
    links: [],
    statusCode: 0,
    statusMessage: '',
    ...overrides,
  }
}

/** Attributes in the order of the members. Values are JSON, whose numbers keep their form when given as text by `parseJson`. */
export function attributesOf(values: Record<string, unknown>): Attributes {
  return Object.entries(values).map(([key, value]) => [key, value as JsonValue] as const)
}

/** Nested attributes, as the mapping rules see them. */
export function nested(values: Record<string, unknown>): JsonObject {
  return expandAttributes(attributesOf(values), 'keep', createExpansion())
}

/** Events with nested attributes, one nanosecond apart. */
export function events(...sent: [name: string, attributes: Record<string, unknown>][]): ExpandedEvent[] {
  return expandEvents(
    sent.map(([name, values], index) => anEvent(name, values, BigInt(index))),
    createExpansion(),
  )
}

export function anEvent(name: string, values: Record<string, unknown>, timeNs = 0n): SpanEvent {
  return { name, timeNs, attributes: attributesOf(values), droppedAttributesCount: 0 }
}

/** A value with what is there as JSON text parsed; numbers become those of JavaScript. */
export function read(value: unknown): unknown {
  return JSON.parse(stringifyJson(value))
}

/** JSON text as a value with exact numbers. */
export function json(text: string): JsonValue {
  return parseJson(text) as JsonValue
}
