import type { ServerContext } from '@modelcontextprotocol/server'
import type { TraceCarrier } from './server-options.ts'

/** More than the specifications of W3C allow. */
const maxLength = 8_192

/** The trace that a request belongs to, from its `_meta`; texts that no header could hold are left out. */
export function traceOf({ mcpReq }: ServerContext): { trace?: TraceCarrier } {
  const meta: Readonly<Record<string, unknown>> = mcpReq._meta ?? {}
  const trace: TraceCarrier = {}
  for (const name of ['traceparent', 'tracestate'] as const) {
    const text = meta[name]
    if (typeof text === 'string' && text.length <= maxLength) trace[name] = text
  }
  return trace.traceparent === undefined ? {} : { trace }
}
