import type { TraceStatement } from '@heddle/datastore'
import type { TraceJob } from '@heddle/jobs'
import type { RequestStats } from '@heddle/service-kit'
import type { ServerMetrics } from '../metrics/server-metrics.ts'
import type { ServerLog } from '../log/server-log.ts'
import type { Configuration } from '../settings/configuration.ts'

/** What the server reports about itself: a span for each request, statement and job, and its metrics. Never a payload, a name of a user or a key. */
export interface Telemetry {
  traceRequest: NonNullable<RequestStats['trace']>
  traceStatement: TraceStatement
  traceJob: TraceJob
  /** Called in the request that sent the spans. */
  onSpans(spans: { stored: number; rejected: number }): void
  /** Sends what waits, for at most some seconds. */
  close(): Promise<void>
}

export interface TelemetryParts {
  configuration: Pick<Configuration, 'telemetryUrl' | 'telemetryHeaders' | 'telemetrySignals' | 'telemetrySampleRatio'>
  metrics: Pick<ServerMetrics, 'read'>
  log: Pick<ServerLog, 'warn'>
}
