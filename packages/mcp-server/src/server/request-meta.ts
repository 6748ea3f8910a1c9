import type { ServerContext } from '@modelcontextprotocol/server'
import type { Progress } from '../tools/tool-context.ts'
import type { TraceCarrier } from '../connection/server-options.ts'

/** More than the specifications of W3C allow. */
const maxLength = 8_192

/** The trace that a request belongs to, from its `_meta`; texts that are not valid in headers are ignored. */
export function traceOf({ mcpReq }: ServerContext): { trace?: TraceCarrier } {
  const meta: Readonly<Record<string, unknown>> = mcpReq._meta ?? {}
  const trace: TraceCarrier = {}
  for (const name of ['traceparent', 'tracestate'] as const) {
    const text = meta[name]
    if (typeof text === 'string' && text.length <= maxLength) trace[name] = text
  }
  return trace.traceparent === undefined ? {} : { trace }
}

/** Sends progress to a client that requested it. Progress only increases; other reports are ignored. */
export function createReporter({ mcpReq }: ServerContext): (progress: Progress) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  let last = -1
  return ({ progress, ...rest }) => {
    if (progress <= last) return
    last = progress
    // A client that has left gets none.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, ...rest } }).catch(() => undefined)
  }
}
