import { listNodes, messagesOfCalls, type RecordedCall, settleCalls, type TracedMessage } from '@heddle/trace-model'
import type { TraceSource } from './read-traces.ts'
import type { TracedCall } from './traced-call.ts'

/** Calls of a trace whose messages are read, the first in the order of its tree. */
export const maxCallsOfMessages = 2_000
/** Calls whose payloads are read together. */
const callsAtOnce = 200

/** What was said in the calls of a trace, in the order of its tree, each message once. */
export async function readMessages({ client, project, signal }: TraceSource, calls: readonly TracedCall[]): Promise<TracedMessage[]> {
  const ids = listNodes(settleCalls(calls).roots)
    .slice(0, maxCallsOfMessages)
    .map(({ call }) => call.id)
  const payloads = new Map<string, RecordedCall>()
  for (let at = 0; at < ids.length; at += callsAtOnce) {
    const filter = { call_ids: ids.slice(at, at + callsAtOnce) }
    const query = { project_id: project, filter, columns: ['id', 'inputs', 'output', 'attributes'] }
    for await (const call of client.calls.streamQuery(query, signal ? { signal } : {})) payloads.set(call.id, call)
  }
  return messagesOfCalls(ids.map((id) => ({ id, ...payloads.get(id) })))
}
