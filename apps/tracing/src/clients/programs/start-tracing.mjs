import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/**
 * Sends traces to the endpoint of the standard variables, in the encoding named by the first argument of the program. A failed export ends the
 * program.
 * @returns {NodeTracerProvider} to be shut down when the program is done
 */
export function startTracing() {
  const exporter = process.argv[2] === 'json' ? new JsonExporter() : new ProtobufExporter()
  const provider = new NodeTracerProvider({
    resource: detectResources({ detectors: [envDetector] }),
    spanProcessors: [new BatchSpanProcessor(failLoudly(exporter))],
  })
  provider.register()
  return provider
}

/** @template {import('@opentelemetry/sdk-trace-node').SpanExporter} E @param {E} exporter */
function failLoudly(exporter) {
  const send = exporter.export.bind(exporter)
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error) {
        process.stderr.write(`the export failed: ${result.error.stack}\n`)
        process.exitCode = 1
      }
      done(result)
    })
  return exporter
}
