import { parseTimestamp } from '@heddle/core-api'
import { buildTree, listNodes } from '@heddle/trace-model'
import type { TracedCall } from './traced-call.ts'

/** A call with how many are above it. */
export interface PlacedCall {
  call: TracedCall
  depth: number
}

/** The calls of a trace, each followed by those below it, by start. A call whose parent is not there is a root, and so is the first of a cycle. */
export function inTreeOrder(calls: readonly TracedCall[]): PlacedCall[] {
  const placed = calls.map((call) => ({
    id: call.id,
    parentId: call.parent_id ?? null,
    startedAt: parseTimestamp(call.started_at) ?? 0,
    endedAt: call.ended_at ? (parseTimestamp(call.ended_at) ?? 0) : null,
    call,
  }))
  return listNodes(buildTree(placed)).map(({ call: { call }, depth }) => ({ call, depth }))
}
