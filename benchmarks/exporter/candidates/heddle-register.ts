import { register } from '@heddle/otel-exporter'
import { trace } from '@opentelemetry/api'
import type { StartCandidate } from './candidate.ts'

export const start: StartCandidate = ({ serverUrl, spoolFolder }) => {
  const { flush, shutdown } = register({ baseUrl: serverUrl, apiKey: 'key', project: 'team/app', spoolDir: spoolFolder })
  return { tracer: trace.getTracer('bench', '1.0.0'), flush, shutdown }
}
