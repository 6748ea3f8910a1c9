import { reportsOfRequests, type SettledTrace } from '@heddle/trace-model'
import type { TraceCall } from '../trace-queries.ts'

/** A request to a model as reported by calls of a trace: first the one that counts, then those that repeat it, by their start. */
export type ModelRequest = readonly [TraceCall, ...TraceCall[]]

/** The requests of a trace to models, by their start: those of model calls, and of calls whose usage counts because no call below reports more. */
export function modelRequestsOf(calls: readonly TraceCall[], settled: SettledTrace | undefined): ModelRequest[] {
  const isOne = ({ id, isModelCall }: TraceCall) => {
    const count = settled?.marks.get(id)?.count
    return count === undefined ? isModelCall : count !== 'below'
  }
  const byStart = calls.filter(isOne).sort((a, b) => a.startedAt - b.startedAt)
  return reportsOfRequests(byStart, settled)
}

/** The report of a request that has its messages: the first with some, else the one that counts. Undefined until they are read. */
export function reportWithMessages<T>(request: ModelRequest, messages: ReadonlyMap<string, readonly T[]>) {
  const found = request.find(({ id }) => (messages.get(id)?.length ?? 0) > 0) ?? request[0]
  const own = messages.get(found.id)
  return own && { call: found, messages: own }
}
