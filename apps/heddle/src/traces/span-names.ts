import type { TracingClient } from '../connect.ts'
import type { TracedCall } from './traced-call.ts'

/** Ids in one filter. */
const maxIds = 1_000
/** The id of a call that came from OpenTelemetry is that of its span. */
const spanId = /^[0-9a-f]{16}$/

interface SpanNamesDeps {
  client: TracingClient
  project: string
  signal?: AbortSignal
}

/** Returns the calls with the names that their spans were sent with, as `attributes.otel_span.name`. */
export type AddSpanNames = (calls: readonly TracedCall[]) => Promise<TracedCall[]>

/**
 * Reads names of spans for calls that were read without attributes, one call at a time in memory, since raw spans are large. Calls with a
 * display name need none. The names of the calls given last are remembered, so that asking again reads those of new calls alone.
 */
export function createSpanNames(deps: SpanNamesDeps): AddSpanNames {
  let known = new Map<string, string>()
  return async (calls) => {
    const spans = calls.filter(({ id, display_name }) => !display_name && spanId.test(id)).map(({ id }) => id)
    const missing = spans.filter((id) => !known.has(id))
    const read = new Map<string, string>()
    for (let at = 0; at < missing.length; at += maxIds) await readNames(deps, missing.slice(at, at + maxIds), read)
    known = new Map(spans.map((id) => [id, read.get(id) ?? known.get(id) ?? '']))
    return calls.map((call) => {
      const name = known.get(call.id)
      return name ? { ...call, attributes: { otel_span: { name } } } : call
    })
  }
}

async function readNames({ client, project, signal }: SpanNamesDeps, ids: string[], names: Map<string, string>): Promise<void> {
  const query = { project_id: project, filter: { call_ids: ids }, columns: ['attributes'] }
  for await (const { id, attributes } of client.calls.streamQuery(query, signal ? { signal } : {})) {
    const span = attributes['otel_span'] as { name?: unknown } | undefined
    if (typeof span?.name === 'string') names.set(id, span.name)
  }
}
