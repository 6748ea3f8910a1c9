import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { diag } from '@opentelemetry/api'
import type { ExporterOptions } from './settings/exporter-options.ts'
import { toExporterSettings } from './settings/exporter-settings.ts'

/**
 * The exporter of OpenTelemetry itself, over JSON, with address, headers, time limit and compression from the same options and variables.
 * It retries and drops by its own rules: no spool, no splitting, no counts.
 */
export function createOtlpHttpExporter(options: ExporterOptions = {}): OTLPTraceExporter {
  const logger = diag.createComponentLogger({ namespace: '@heddle/otel-exporter' })
  const { url, headers, timeoutMs, compression, pipeline } = toExporterSettings(options, (message) => logger.warn(message))
  const { 'user-agent': _own, ...rest } = headers
  // The package does not export the enumeration; its members are these texts.
  const algorithm = compression as NonNullable<NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>['compression']>
  return new OTLPTraceExporter({
    url,
    headers: rest,
    timeoutMillis: timeoutMs,
    compression: algorithm,
    concurrencyLimit: pipeline.concurrency,
  })
}
