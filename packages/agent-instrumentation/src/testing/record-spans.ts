import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

/** Runs `work` in a program that traces, and returns its spans in the order of their ends. */
export async function recordSpans<T>(work: () => Promise<T>): Promise<{ result: T; spans: ReadableSpan[] }> {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  try {
    const result = await work()
    return { result, spans: exporter.getFinishedSpans() }
  } finally {
    trace.disable()
    context.disable()
    await provider.shutdown()
  }
}

/** The names from the root to the span, such as `trajectory > chat solver`. */
export function pathOfSpan(span: ReadableSpan, spans: readonly ReadableSpan[]): string {
  const parent = spans.find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId)
  return parent ? `${pathOfSpan(parent, spans)} > ${span.name}` : span.name
}
