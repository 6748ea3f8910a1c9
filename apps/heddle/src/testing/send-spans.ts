import { HeddleSpanProcessor } from '@heddle/otel-exporter'
import { type Attributes, context, trace } from '@opentelemetry/api'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { TestServer } from '../test-server/create-test-server.ts'

/** Attempts began so long ago, a second apart. */
const longAgoMs = 3_600_000

/** Sends a trace for each attempt by the exporter: its span, and one below it for each model call. Returns the ids of the root spans, once all is stored. */
export async function sendSpans(
  { url, apiKey }: Pick<TestServer, 'url' | 'apiKey'>,
  project: string,
  attempts: readonly Attributes[][],
): Promise<string[]> {
  const processor = new HeddleSpanProcessor({ baseUrl: url, apiKey, project, environment: {} })
  const provider = new NodeTracerProvider({ spanProcessors: [processor] })
  const tracer = provider.getTracer('agent')
  const beganAt = Date.now() - longAgoMs
  const roots = attempts.map((modelCalls, attempt) => {
    const startTime = beganAt + attempt * 1_000
    const root = tracer.startSpan('invoke_agent', { startTime, attributes: { 'gen_ai.operation.name': 'invoke_agent' } })
    const inside = trace.setSpan(context.active(), root)
    for (const [turn, attributes] of modelCalls.entries())
      tracer
        .startSpan('chat', { startTime: startTime + turn, attributes: { 'gen_ai.operation.name': 'chat', ...attributes } }, inside)
        .end(startTime + turn + 1)
    root.end(startTime + modelCalls.length)
    return root.spanContext().spanId
  })
  await processor.forceFlush()
  await provider.shutdown()
  return roots
}
