import type { ToolContext } from '../tool-context.ts'
import type { TracedCall } from './traced-call.ts'

/** The id of a call from OpenTelemetry is that of its span. */
const spanId = /^[0-9a-f]{16}$/

/** The calls of one page with the names that their spans were sent with, for calls that were read without attributes. */
export async function withSpanNames(calls: readonly TracedCall[], { tracing, project, signal }: ToolContext): Promise<TracedCall[]> {
  const call_ids = calls.filter(({ id, display_name }) => !display_name && spanId.test(id)).map(({ id }) => id)
  if (call_ids.length === 0) return [...calls]
  const names = new Map<string, NonNullable<TracedCall['attributes']>>()
  const query = { project_id: project().id, filter: { call_ids }, columns: ['attributes'] }
  for await (const { id, attributes } of tracing.calls.streamQuery(query, { signal })) {
    const span: unknown = attributes['otel_span']
    if (typeof span === 'object' && span !== null && 'name' in span) names.set(id, { otel_span: { name: span.name } })
  }
  return calls.map((call) => ({ ...call, attributes: names.get(call.id) ?? {} }))
}
