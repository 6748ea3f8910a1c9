import { HeddleSpanExporter } from '@heddle/otel-exporter/fetch'
import type { CallEntry } from '../connection/server-options.ts'
import { toSpan } from './to-span.ts'

export interface TelemetryOptions {
  baseUrl: string
  apiKey: string
  /** `entity/project` of the spans. */
  project: string
}

/** Spans about calls of tools, sent to the service in the background. */
export interface Telemetry {
  record(entry: CallEntry): void
  /** Sends the remaining spans, for at most a few seconds. */
  close(): Promise<void>
}

const closeWithinMs = 3_000

/** Each call becomes one span, child of the span of the assistant where the request named one. The exporter bounds what waits to be sent. */
export function createTelemetry({ baseUrl, apiKey, project }: TelemetryOptions): Telemetry {
  const exporter = new HeddleSpanExporter({ baseUrl, apiKey, project, timeoutMs: closeWithinMs, environment: {} })
  return {
    record: (entry) => exporter.export([toSpan(entry)], () => undefined),
    async close() {
      // What cannot be sent is lost: the program ends.
      let timer: NodeJS.Timeout | undefined
      const isOver = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeWithinMs)))
      await Promise.race([exporter.shutdown().catch(() => undefined), isOver])
      clearTimeout(timer)
    },
  }
}
