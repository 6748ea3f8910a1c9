import { parseTimestamp } from '@heddle/core-api'
import type { TracedCall } from './traced-call.ts'

/** A call with how many are above it. */
export interface PlacedCall {
  call: TracedCall
  depth: number
}

/** The calls of a trace, each followed by those below it, by start. A call whose parent is not there is a root, and so is one of a circle. */
export function inTreeOrder(calls: readonly TracedCall[]): PlacedCall[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const children = new Map<string, TracedCall[]>()
  const roots: TracedCall[] = []
  for (const call of calls.toSorted(byStart)) {
    const parent = call.parent_id ?? ''
    if (byId.has(parent) && parent !== call.id) children.set(parent, [...(children.get(parent) ?? []), call])
    else roots.push(call)
  }
  const placed: PlacedCall[] = []
  const seen = new Set<string>()
  const waiting = roots.toReversed().map((call): PlacedCall => ({ call, depth: 0 }))
  for (const rest of [
    waiting,
    calls
      .toSorted(byStart)
      .toReversed()
      .map((call): PlacedCall => ({ call, depth: 0 })),
  ]) {
    for (let next = rest.pop(); next; next = rest.pop()) {
      if (seen.has(next.call.id)) continue
      seen.add(next.call.id)
      placed.push(next)
      const { depth } = next
      rest.push(...(children.get(next.call.id) ?? []).toReversed().map((call) => ({ call, depth: depth + 1 })))
    }
  }
  return placed
}

function byStart(one: TracedCall, other: TracedCall): number {
  return (parseTimestamp(one.started_at) ?? 0) - (parseTimestamp(other.started_at) ?? 0) || (one.id < other.id ? -1 : 1)
}
