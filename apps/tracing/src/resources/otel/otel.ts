import type { EnsureOps } from '../objects/publish/ensure-ops.ts'
import type { CallsWriter } from '../calls/write/calls-writer.ts'
import { type OtelDeps, otelHandlers } from './otel-handlers.ts'
import { createSpanPreparer, type SpanPreparerOptions } from './span-preparer.ts'

interface OtelOptions {
  spans: SpanPreparerOptions
  options: OtelDeps['options']
  ensureOps: EnsureOps
  writer: CallsWriter
}

/** OpenTelemetry spans, which become calls. */
export function createOtel({ spans, options, ensureOps, writer }: OtelOptions) {
  const preparer = createSpanPreparer(spans)
  let rejectedSpans = 0
  const onRejected = (count: number) => {
    rejectedSpans += count
  }
  return {
    handlers: otelHandlers({ preparer, writer, ensureOps, options, onRejected }),
    /** Spans that were not stored, since the start. */
    rejectedSpans: () => rejectedSpans,
    close: () => preparer.close(),
  }
}
