import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { withProcessor, type StartCandidate } from './candidate.ts'

export const start: StartCandidate = ({ serverUrl }) =>
  withProcessor(new BatchSpanProcessor(new OTLPTraceExporter({ url: `${serverUrl}/v1/traces` })))
