import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import { type OtelDeps, otelHandlers } from './otel-handlers.ts'
import { createSpanPreparer, type SpanPreparerOptions } from './span-preparer.ts'

interface OtelOptions {
  spans: SpanPreparerOptions
  options: OtelDeps['options']
  ensureOps: EnsureOps
  writer: CallsWriter
  /** Called with the spans of each request that was answered. */
  onSpans?: OtelDeps['onSpans'] | undefined
}

/** OpenTelemetry spans, which become calls. */
export function createOtel({ spans, options, ensureOps, writer, onSpans }: OtelOptions) {
  const preparer = createSpanPreparer(spans)
  let rejectedSpans = 0
  return {
    handlers: otelHandlers({
      preparer,
      writer,
      ensureOps,
      options,
      onSpans(spans) {
        rejectedSpans += spans.rejected
        onSpans?.(spans)
      },
    }),
    /** Spans that were not stored, since the start. */
    rejectedSpans: () => rejectedSpans,
    close: () => preparer.close(),
  }
}
