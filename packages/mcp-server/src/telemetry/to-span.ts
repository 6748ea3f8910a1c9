import { randomBytes } from 'node:crypto'
import { stringifyJson } from '@heddle/json/exact'
import type { Attributes, HrTime, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { CallEntry, TraceCarrier } from '../connection/server-options.ts'
import { version } from '../version.ts'

// The constants of OpenTelemetry: its packages are not bundled.
const serverKind = 1 satisfies SpanKind.SERVER
const unset: SpanStatus = { code: 0 }
const sampled = 1

const resource = { attributes: { 'service.name': 'heddle-mcp', 'service.version': version } } as unknown as ReadableSpan['resource']

/** The span of a finished call: a root, or a child of the span that the request named. */
export function toSpan(entry: CallEntry): ReadableSpan {
  const parent = parentOf(entry.trace)
  const context: SpanContext = {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    traceFlags: sampled,
    ...(parent?.traceState && { traceState: parent.traceState }),
  }
  return {
    name: `execute_tool ${entry.tool}`,
    kind: serverKind,
    spanContext: () => context,
    ...(parent && { parentSpanContext: parent }),
    startTime: toHrTime(entry.startedAtMs),
    endTime: toHrTime(entry.startedAtMs + entry.durationMs),
    duration: toHrTime(entry.durationMs),
    status: entry.error === undefined ? unset : { code: 2, message: entry.error },
    attributes: attributesOf(entry),
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: '@heddle/mcp-server', version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

const traceparentForm = /^[\da-f]{2}-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-[\da-f]{2}(?:-|$)/

/** The span that a `traceparent` names (W3C Trace Context); undefined where it is none. */
function parentOf(trace: TraceCarrier | undefined): SpanContext | undefined {
  const { traceId = '', spanId = '' } = traceparentForm.exec(trace?.traceparent ?? '')?.groups ?? {}
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined
  const text = trace?.tracestate
  // Passed on unchanged.
  const traceState = text === undefined ? undefined : ({ serialize: () => text } as NonNullable<SpanContext['traceState']>)
  return { traceId, spanId, traceFlags: sampled, isRemote: true, ...(traceState && { traceState }) }
}

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

/** Names and sizes of arguments; their values only if the operator enabled that. */
function attributesOf({ tool, argumentSizes, arguments: values, tokens, error }: CallEntry): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
    'mcp.method.name': 'tools/call',
    'heddle.mcp.answer_tokens': tokens,
    ...Object.fromEntries(Object.entries(argumentSizes).map(([name, size]) => [`heddle.mcp.argument_size.${name}`, size])),
    ...(values !== undefined && { 'gen_ai.tool.call.arguments': stringifyJson(values) }),
    ...(error !== undefined && { 'error.type': error }),
  }
}
