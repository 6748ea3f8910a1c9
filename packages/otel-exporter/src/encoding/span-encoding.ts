import type { Bytes } from './concat-bytes.ts'
import type { ReadableSpan, SpanResource, SpanScope } from '../readable-span.ts'

/** A span as it will travel. Spans of one resource and scope share theirs. */
export interface EncodedSpan {
  bytes: Bytes
  resource: SpanResource
  scope: SpanScope
}

/** What a server says when it took a request: how many of its spans it refused, and why or what else it wants to tell. */
export interface PartialSuccess {
  rejectedSpans: number
  /** Empty when there is nothing to say. */
  errorMessage: string
}

/** How spans become requests of OTLP over HTTP, and what their answers say. */
export interface SpanEncoding {
  readonly contentType: string
  /**
   * A span as it stands in a request. An attribute that cannot be read becomes a text that says so.
   * @throws whatever reading the other fields throws, when `span` is not what its type says.
   */
  encodeSpan(span: ReadableSpan): Bytes
  /** An `ExportTraceServiceRequest` in parts, which share memory with the spans. Spans keep their order within a resource and scope. */
  joinRequest(spans: readonly EncodedSpan[]): Bytes[]
  /** The older and the newer half of the spans of a request, each as a request; undefined when there is but one, or it cannot be read. */
  splitRequest(body: Bytes): [Bytes, Bytes] | undefined
  /** Undefined when the server refused nothing and says nothing, and when its answer cannot be read. */
  parseAnswer(body: Uint8Array): PartialSuccess | undefined
}

/** Spans of one scope within a resource. */
export interface ScopeGroup {
  scope: SpanScope
  spans: Bytes[]
}

/** Spans by resource, then by what identifies their scope, each in order of arrival. */
export function groupSpans(spans: readonly EncodedSpan[]): Map<SpanResource, ScopeGroup[]> {
  const resources = new Map<SpanResource, Map<string, ScopeGroup>>()
  let last: { resource: SpanResource; group: ScopeGroup } | undefined
  for (const { bytes, resource, scope } of spans) {
    // Spans of one scope usually come one after the other.
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
