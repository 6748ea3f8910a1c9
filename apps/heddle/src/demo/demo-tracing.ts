import { TrajectorySpanProcessor } from '@heddle/agent-instrumentation'
import { HeddleSpanProcessor } from '@heddle/otel-exporter'
import { context, propagation, trace } from '@opentelemetry/api'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { DemoServer } from './demo-server.ts'

/** OpenTelemetry of this process, which sends to the server. */
export interface DemoTracing {
  /** Resolves once all ended spans are stored. */
  flush(): Promise<void>
  /** Sends the remaining spans, and unregisters the global tracer provider. */
  close(): Promise<void>
}

export function startTracing({ baseUrl, apiKey }: DemoServer, project: string): DemoTracing {
  const heddle = new HeddleSpanProcessor({ baseUrl, apiKey, project, spans: 'all', environment: {} })
  const provider = new NodeTracerProvider({ spanProcessors: [new TrajectorySpanProcessor(), heddle] })
  provider.register()
  return {
    flush: () => heddle.forceFlush(),
    async close() {
      await provider.shutdown().catch(() => undefined)
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}
