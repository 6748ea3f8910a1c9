import type { JsonValue } from './json-value.ts'

/** Attributes in the order in which they were sent; a key may appear more than once. A value that was not set is null. */
export type Attributes = (readonly [key: string, value: JsonValue])[]

export interface SpanEvent {
  name: string
  timeNs: bigint
  attributes: Attributes
  droppedAttributesCount: number
}

export interface SpanLink {
  traceId: string
  spanId: string
  traceState: string
  attributes: Attributes
  droppedAttributesCount: number
  flags: number
}

/** A span of OpenTelemetry as it was sent. Ids are lower-case hex of whatever length was sent; times are nanoseconds since 1970, 0 when not set. */
export interface Span {
  traceId: string
  spanId: string
  /** `''` or zeros for a span without parent. */
  parentSpanId: string
  traceState: string
  name: string
  /** Number of the kind; 0 when it is unknown. */
  kind: number
  startNs: bigint
  endNs: bigint
  attributes: Attributes
  events: SpanEvent[]
  links: SpanLink[]
  /** 0 unset, 1 ok, 2 error; other numbers as sent. */
  statusCode: number
  statusMessage: string
}

/** Who emitted a group of spans. */
export interface Resource {
  attributes: Attributes
  droppedAttributesCount: number
}

/** The instrumentation that made a group of spans. */
export interface Scope {
  name: string
  version: string
}

export interface ScopeSpans {
  /** Null when it was not sent. */
  scope: Scope | null
  spans: Span[]
}

export interface ResourceSpans {
  /** Null when it was not sent. */
  resource: Resource | null
  scopes: ScopeSpans[]
}

/** A decoded export request. */
export interface DecodedRequest {
  resources: ResourceSpans[]
  /** Texts in which invalid UTF-8 was replaced by U+FFFD. */
  replacedTexts: number
}
