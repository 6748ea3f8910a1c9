import type { ParentLinks } from '../tree/link-parents.ts'
import type { TokenCounts } from '../usage/token-counts.ts'
import type { CountedUsage } from './counted-usage.ts'
import { areOtherScopes } from './repeated-requests.ts'
import type { ReportedUsage } from './reported-usage.ts'
import type { TraceNode } from './trace-node.ts'

/** A note about what the rule cannot decide for a trace. */
export type TraceNote =
  /** A call reports more tokens than count below it: a part of its work may not be instrumented. */
  | { note: 'reports_more'; callId: string; reported: number; counted: number }
  /** Model calls of two scopes differ by little: both count, though they may be one request. */
  | { note: 'similar_requests'; callId: string; otherId: string; reported: number; other: number }
  /** Calls name different threads; that of the root holds, else of the call that started first. */
  | { note: 'several_threads'; callId: string; threadId: string }

/** Most notes of one kind; further ones would add no information. */
const maxNotes = 20

/** The share of the larger count by which counts of one request may differ: one is estimated, or leaves out a few tokens. */
const similarShare = 0.1

export interface NotedTrace {
  nodes: readonly TraceNode[]
  links: ParentLinks
  reported: ReportedUsage
  counted: readonly (CountedUsage | undefined)[]
}

/** Calls that report more than counts below them, by index in the order of the nodes. */
export function noteReportsMore({ nodes, links, reported, counted }: NotedTrace): TraceNote[] {
  const below = countedBelow(links, counted)
  const notes: TraceNote[] = []
  for (let place = 0; place < nodes.length && notes.length < maxNotes; place++) {
    const sum = reported.sums[place]
    if (sum === undefined || counted[place]?.count !== 'below' || sum.total <= below[place]!) continue
    notes.push({ note: 'reports_more', callId: nodes[place]!.id, reported: sum.total, counted: below[place]! })
  }
  return notes
}

/** Model calls right above model calls of another scope whose counts nearly are theirs. */
export function noteSimilar({ nodes, reported, counted }: NotedTrace): TraceNote[] {
  const notes: TraceNote[] = []
  const counts = (place: number) => nodes[place]!.isModelCall && counted[place]?.count === 'whole'
  for (let place = 0; place < nodes.length && notes.length < maxNotes; place++) {
    const own = reported.sums[place]
    if (own === undefined || !counts(place)) continue
    const similar = reported.frontiers[place]!.find(
      (below) => counts(below) && areOtherScopes(nodes[place]!, nodes[below]!) && areSimilar(own, reported.sums[below]!),
    )
    if (similar === undefined) continue
    const other = reported.sums[similar]!.total
    notes.push({ note: 'similar_requests', callId: nodes[place]!.id, otherId: nodes[similar]!.id, reported: own.total, other })
  }
  return notes
}

function areSimilar(one: TokenCounts, other: TokenCounts): boolean {
  return (['input', 'output', 'total'] as const).every(
    (name) => Math.abs(one[name] - other[name]) <= similarShare * Math.max(one[name], other[name]),
  )
}

/** Tokens that count below each call. */
function countedBelow({ parents, order }: ParentLinks, counted: readonly (CountedUsage | undefined)[]): Float64Array {
  const below = new Float64Array(parents.length)
  for (let at = order.length - 1; at >= 0; at--) {
    const place = order[at]!
    const parent = parents[place]!
    if (parent < 0) continue
    const own = counted[place]?.usage.reduce((sum, { counts }) => sum + counts.total, 0) ?? 0
    below[parent] = below[parent]! + below[place]! + own
  }
  return below
}
