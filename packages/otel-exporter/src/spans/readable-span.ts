import type { Attributes, Context, HrTime, Link, Span as ApiSpan, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api'

// The parts of spans and processors that are used, common to SDK 2.x and 3.x, whose packages have different names.

/** A span as it can be read once it has ended. */
export interface ReadableSpan {
  readonly name: string
  readonly kind: SpanKind
  readonly spanContext: () => SpanContext
  readonly parentSpanContext?: SpanContext
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly status: SpanStatus
  readonly attributes: Attributes
  readonly links: Link[]
  readonly events: SpanEvent[]
  readonly duration: HrTime
  readonly ended: boolean
  readonly resource: SpanResource
  readonly instrumentationScope: SpanScope
  readonly droppedAttributesCount: number
  readonly droppedEventsCount: number
  readonly droppedLinksCount: number
}

export interface SpanEvent {
  time: HrTime
  name: string
  attributes?: Attributes
  droppedAttributesCount?: number
}

/** What produces spans: a service, a process. */
export interface SpanResource {
  readonly attributes: Attributes
  readonly schemaUrl?: string
  /** True while asynchronous attributes are pending. */
  readonly asyncAttributesPending?: boolean
  waitForAsyncAttributes?(): Promise<void>
}

/** What makes spans: an instrumentation. */
export interface SpanScope {
  readonly name: string
  readonly version?: string
  readonly schemaUrl?: string
}

/** A span that runs. */
export type RunningSpan = ApiSpan & ReadableSpan

export interface SpanProcessor {
  onStart(span: RunningSpan, parentContext: Context): void
  onEnd(span: ReadableSpan): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/** Whether all spans of an export were sent. */
export interface SpanExportResult {
  /** 1 for a failure, as the SDK counts. */
  code: 0 | 1
  error?: Error
}

export interface SpanExporter {
  export(spans: ReadableSpan[], done: (result: SpanExportResult) => void): void
  forceFlush?(): Promise<void>
  shutdown(): Promise<void>
}
