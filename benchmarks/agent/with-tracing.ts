import { context, propagation, trace } from '@opentelemetry/api'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { TrajectorySpanProcessor } from '@heddle/agent-instrumentation'

/** Runs `work` in a program that traces. Its spans go nowhere. */
export async function withTracing<T>(work: () => Promise<T>): Promise<T> {
  const provider = new NodeTracerProvider({ spanProcessors: [new TrajectorySpanProcessor()] })
  provider.register()
  try {
    return await work()
  } finally {
    trace.disable()
    context.disable()
    propagation.disable()
    await provider.shutdown()
  }
}
