// The usual set-up of OpenTelemetry in a Node.js program: spans go to OTEL_EXPORTER_OTLP_ENDPOINT in batches.
import { SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

export const providerUrl = process.env.PROVIDER_URL
export const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'trip-planner' }),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
})
provider.register()
const tracer = trace.getTracer('trip-planner')

/** Runs `work` in a span; a failure is recorded on it and thrown on. */
export function inSpan(name, attributes, work) {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.recordException(error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(error.message) })
      throw error
    } finally {
      span.end()
    }
  })
}

export const end = async () => {
  await provider.forceFlush()
  await provider.shutdown()
}
