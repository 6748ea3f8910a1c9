import type { Bytes } from './concat-bytes.ts'
import type { ReadableSpan, SpanResource, SpanScope } from '../spans/readable-span.ts'

/** An encoded span. Spans of the same resource and scope share those objects. */
export interface EncodedSpan {
  bytes: Bytes
  resource: SpanResource
  scope: SpanScope
}

/** The partial success of a response: how many spans were rejected, and a message. */
export interface PartialSuccess {
  rejectedSpans: number
  /** Empty without a message. */
  errorMessage: string
}

/** Encodes spans as OTLP requests, and decodes the responses. */
export interface SpanEncoding {
  readonly contentType: string
  /**
   * A span as part of a request. An attribute that cannot be read is replaced by a text that explains it.
   * @throws whatever reading the other fields throws, when `span` does not have its type.
   */
  encodeSpan(span: ReadableSpan): Bytes
  /** An `ExportTraceServiceRequest` in chunks, which share memory with the spans. Spans keep their order within a resource and scope. */
  joinRequest(spans: readonly EncodedSpan[]): Bytes[]
  /** The older and the newer half of the spans of a request, each as a request; undefined when there is but one, or it cannot be read. */
  splitRequest(body: Bytes): [Bytes, Bytes] | undefined
  /** Undefined when the response has no partial success, or cannot be read. */
  parseAnswer(body: Uint8Array): PartialSuccess | undefined
}

/** Spans of one scope within a resource. */
export interface ScopeGroup {
  scope: SpanScope
  spans: Bytes[]
}

/** Spans by resource, then by the identity of their scope, each in order of arrival. */
export function groupSpans(spans: readonly EncodedSpan[]): Map<SpanResource, ScopeGroup[]> {
  const resources = new Map<SpanResource, Map<string, ScopeGroup>>()
  let last: { resource: SpanResource; group: ScopeGroup } | undefined
  for (const { bytes, resource, scope } of spans) {
    // Spans of one scope are usually adjacent.
    if (last?.resource !== resource || last.group.scope !== scope) last = { resource, group: findGroup(resources, resource, scope) }
    last.group.spans.push(bytes)
  }
  return new Map([...resources].map(([resource, scopes]) => [resource, [...scopes.values()]]))
}

function findGroup(resources: Map<SpanResource, Map<string, ScopeGroup>>, resource: SpanResource, scope: SpanScope): ScopeGroup {
  const scopes = resources.get(resource) ?? new Map<string, ScopeGroup>()
  if (scopes.size === 0) resources.set(resource, scopes)
  const key = `${scope.name}\n${scope.version ?? ''}\n${scope.schemaUrl ?? ''}`
  const group = scopes.get(key) ?? { scope, spans: [] }
  if (group.spans.length === 0) scopes.set(key, group)
  return group
}
