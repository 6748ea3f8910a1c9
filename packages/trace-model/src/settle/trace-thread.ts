import { startsBefore } from '../tree/link-parents.ts'
import type { TraceNode } from './trace-node.ts'
import type { TraceNote } from './trace-notes.ts'

/** The thread of a trace, and a note where its calls name different ones. */
export interface TraceThread {
  threadId: string | null
  notes: TraceNote[]
}

/** The thread named by the root of a trace, else by the first call that names one; null if none does. */
export function threadOf(nodes: readonly TraceNode[], root: TraceNode): TraceThread {
  const naming = nodes.filter(({ threadId }) => threadId !== null)
  const first = naming.reduce<TraceNode | undefined>((known, node) => (known && startsBefore(known, node) ? known : node), undefined)
  const threadId = root.threadId ?? first?.threadId ?? null
  const other = naming.find((node) => node.threadId !== threadId)
  return { threadId, notes: other ? [{ note: 'several_threads', callId: other.id, threadId: other.threadId! }] : [] }
}
