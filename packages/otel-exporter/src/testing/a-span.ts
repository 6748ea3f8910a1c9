import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'

export const aResource: ReadableSpan['resource'] = {
  attributes: { 'service.name': 'program-under-test' },
  merge: () => aResource,
  getRawAttributes: () => [],
}

export const aScope: ReadableSpan['instrumentationScope'] = { name: 'program', version: '1.2.3' }

/** A span, by default in a trace of its own. */
export function aSpan(given: Partial<ReadableSpan> & { id?: number; trace?: number; parent?: number } = {}): ReadableSpan {
  const { id = 1, trace = 1, parent, ...fields } = given
  const contextOf = (span: number) => ({ traceId: hex(trace, 32), spanId: hex(span, 16), traceFlags: 1 })
  return {
    name: 'chat',
    kind: 0,
    spanContext: () => contextOf(id),
    ...(parent !== undefined && { parentSpanContext: contextOf(parent) }),
    startTime: [1_800_000_000, 1],
    endTime: [1_800_000_001, 999_999_999],
    duration: [1, 999_999_998],
    ended: true,
    status: { code: 0 },
    attributes: {},
    links: [],
    events: [],
    resource: aResource,
    instrumentationScope: aScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    ...fields,
  }
}

/** Attributes of a model call with a prompt of about this many characters. */
export function chatAttributes(characters: number): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'test-model',
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'word '.repeat(characters / 5) }] }]),
  }
}

export function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0')
}
