import type { CallStatus } from '../calls/call-status.ts'
import type { TreeCall } from '../tree/build-tree.ts'
import type { ModelCounts } from '../usage/read-usage.ts'

/**
 * How a call was sent. `otlp`: as a span, whose usage depends on its instrumentation. `client`: by a tracing client, whose summary is the sum over
 * the call and the calls that the client recorded below it.
 */
export type TraceWire = 'otlp' | 'client'

/** A call's reported usage. */
export type NodeUsage = readonly ModelCounts[]

/** A call of a trace, as far as settling the trace needs it. Times are microseconds since 1970. */
export interface TraceNode extends TreeCall {
  /** Its own. `descendant_error` where its client counted errors below it. */
  status: CallStatus
  /** Whether it is a request to a model (`isModelCall`), as opposed to an agent, a chain, a tool. */
  isModelCall: boolean
  /** Name of the instrumentation scope of its span; null where none is named. */
  scope: string | null
  /** Id of the provider for the response that it got; null where it names none. */
  responseId: string | null
  wire: TraceWire
  threadId: string | null
  /** By model, normalized. */
  usage: NodeUsage
}
