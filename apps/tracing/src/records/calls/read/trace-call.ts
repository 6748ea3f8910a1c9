import { callKindOf, displayNameOf, formatTimestamp } from '@heddle/core-api'
import type { TraceCall } from '@heddle/core-api/types'
import { isModelCall, statusWithDescendants } from '@heddle/trace-model'
import type { CallNode } from '../../../query/calls-query.ts'
import { attributesOfWords, scopeOfSpan } from '../row/call-facts.ts'

/** Texts read from the payloads of a call to show it in its trace. */
export const traceTexts: readonly string[] = ['attributes.otel_span.name']

/** Calls as their trace shows them. `aboveFailed` has the ids of successful calls above a failed one. */
export async function* toTraceCalls(nodes: readonly CallNode[], aboveFailed: ReadonlySet<string>): AsyncGenerator<TraceCall> {
  for (const node of nodes) yield toTraceCall(node, aboveFailed)
}

function toTraceCall({ texts: [name], ...call }: CallNode, aboveFailed: ReadonlySet<string>): TraceCall {
  const { id, parent_id, op_name, display_name, status, started_micros, ended_micros, thread_id } = call
  const { kind_words, span_scope, response_id, has_usage } = call
  const attributes = attributesOfWords(kind_words)
  return {
    id,
    parent_id: parent_id || null,
    op_name,
    name: displayNameOf({ op_name, display_name, attributes: name ? { otel_span: { name } } : {} }),
    kind: callKindOf({ op_name, attributes }, has_usage === 1),
    is_model_call: isModelCall(attributes, has_usage === 1),
    status: statusWithDescendants(status, aboveFailed.has(id)),
    started_at: formatTimestamp(started_micros),
    ended_at: ended_micros === null ? null : formatTimestamp(ended_micros),
    thread_id: thread_id || null,
    wire: span_scope === '' ? 'client' : 'otlp',
    scope: scopeOfSpan(span_scope),
    response_id: response_id || null,
  }
}
