import { randomBytes } from 'node:crypto'
import type { TracingClient } from '../connect.ts'

/** A span of OpenTelemetry that takes a second. */
export interface SentSpan {
  id: string
  trace: string
  parent?: string
  /** Default `step`. */
  name?: string
  attributes?: Record<string, string | number>
  /** Seconds after `startMs` at which it starts. Default 0. */
  second?: number
  /** What its error says. Absent: it has none. */
  failure?: string
}

/** A new id of a trace (16 bytes) or of a span (8), in hexadecimal. */
export const newHexId = (bytes: 8 | 16): string => randomBytes(bytes).toString('hex')

/** Sends spans to a project in one request, in the JSON of OTLP. `startMs`: milliseconds since 1970. */
export async function postSpans(
  client: TracingClient,
  { project_id, startMs }: { project_id: string; startMs: number },
  ...spans: SentSpan[]
): Promise<void> {
  const nanos = (second: number) => `${BigInt(startMs + second * 1_000) * 1_000_000n}`
  const sent = spans.map(({ id, trace, parent, name = 'step', attributes = {}, second = 0, failure }) => ({
    traceId: trace,
    spanId: id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name,
    startTimeUnixNano: nanos(second),
    endTimeUnixNano: nanos(second + 1),
    ...(failure !== undefined && { status: { code: 2, message: failure } }),
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
  }))
  const bytes = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: sent }] }] }))
  await client.otel.exportTrace({ 'project-id': project_id, content_type: 'application/json', bytes })
}
