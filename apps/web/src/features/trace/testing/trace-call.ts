import type { TraceCall } from '../trace-queries.ts'

/** A call of a trace as its tree keeps it: a model call of OpenTelemetry, but for what is given. */
export function aTraceCall(call: Partial<TraceCall> & { id: string }): TraceCall {
  return {
    parentId: null,
    startedAt: 0,
    endedAt: 1,
    name: call.id,
    kind: 'model',
    status: 'success',
    isModelCall: true,
    wire: 'otlp',
    scope: null,
    responseId: null,
    threadId: null,
    ...call,
  }
}
