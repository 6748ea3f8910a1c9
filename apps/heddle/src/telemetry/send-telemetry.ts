import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import process from 'node:process'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base'
import { parseHeaders } from '../settings/value-kinds.ts'
import { version } from '../settings/version.ts'
import { createServerSpans } from './server-spans.ts'
import { metricProducer } from './metric-producer.ts'
import { reportOutages } from './report-outages.ts'
import type { Telemetry, TelemetryParts } from './telemetry.ts'

/** Spans that wait; further ones are dropped. */
const maxWaitingSpans = 2_048
const maxSpansOfRequest = 512
const spansEveryMs = 5_000
const metricsEveryMs = 15_000
const timeoutMs = 10_000
/** Less than the time in which a server must end. */
const closeWithinMs = 5_000

/**
 * Marks requests with telemetry as not recorded, by W3C Trace Context: a Heddle that receives them, this one or another that sends its own
 * here, makes no spans of them, which would be sent again.
 */
const unrecorded = { traceparent: `00-${'1'.padStart(32, '0')}-${'1'.padStart(16, '0')}-00` }

export function sendTelemetry({ url, configuration, metrics, log }: TelemetryParts & { url: string }): Telemetry {
  const resource = resourceFromAttributes({
    'service.name': 'heddle',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
  })
  const headers = parseHeaders(configuration.telemetryHeaders ?? '') ?? {}
  const sending = { headers: { ...headers, ...unrecorded }, timeoutMillis: timeoutMs }
  const { telemetrySignals: only } = configuration
  const tracers =
    only === 'metrics' ? undefined : tracerProvider({ resource, url, sending, log, ratio: configuration.telemetrySampleRatio })
  const meters = only === 'traces' ? undefined : meterProvider({ resource, url, sending, log, metrics })
  return {
    ...createServerSpans(tracers?.getTracer('heddle', version)),
    async close() {
      let timer: NodeJS.Timeout | undefined
      const isOver = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeWithinMs)))
      const closed = Promise.allSettled([tracers?.shutdown(), meters?.shutdown()])
      await Promise.race([closed, isOver])
      clearTimeout(timer)
    },
  }
}

interface Sending {
  resource: Resource
  url: string
  sending: { headers: Record<string, string>; timeoutMillis: number }
  log: TelemetryParts['log']
}

function tracerProvider({ resource, url, sending, log, ratio }: Sending & { ratio: number }): BasicTracerProvider {
  const exporter = reportOutages(new OTLPTraceExporter({ url: `${url}/v1/traces`, ...sending }), { what: 'spans', log })
  return new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: maxWaitingSpans,
        maxExportBatchSize: maxSpansOfRequest,
        scheduledDelayMillis: spansEveryMs,
        exportTimeoutMillis: timeoutMs,
      }),
    ],
  })
}

function meterProvider({ resource, url, sending, log, metrics }: Sending & Pick<TelemetryParts, 'metrics'>): MeterProvider {
  const exporter = reportOutages(new OTLPMetricExporter({ url: `${url}/v1/metrics`, ...sending }), { what: 'metrics', log })
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: timeoutMs,
    metricProducers: [metricProducer({ metrics, resource })],
  })
  return new MeterProvider({ resource, readers: [reader] })
}
