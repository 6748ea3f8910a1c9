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
  for (let index = 0; index < nodes.length && notes.length < maxNotes; index++) {
    const sum = reported.sums[index]
    if (sum === undefined || counted[index]?.count !== 'below' || sum.total <= below[index]!) continue
    notes.push({ note: 'reports_more', callId: nodes[index]!.id, reported: sum.total, counted: below[index]! })
  }
  return notes
}

/** Model calls right above model calls of another scope whose counts nearly are theirs. */
export function noteSimilar({ nodes, reported, counted }: NotedTrace): TraceNote[] {
  const notes: TraceNote[] = []
  const counts = (index: number) => nodes[index]!.isModelCall && counted[index]?.count === 'whole'
  for (let index = 0; index < nodes.length && notes.length < maxNotes; index++) {
    const own = reported.sums[index]
    if (own === undefined || !counts(index)) continue
    const similar = reported.frontiers[index]!.find(
      (below) => counts(below) && areOtherScopes(nodes[index]!, nodes[below]!) && areSimilar(own, reported.sums[below]!),
    )
    if (similar === undefined) continue
    const other = reported.sums[similar]!.total
    notes.push({ note: 'similar_requests', callId: nodes[index]!.id, otherId: nodes[similar]!.id, reported: own.total, other })
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
    const index = order[at]!
    const parent = parents[index]!
    if (parent < 0) continue
    const own = counted[index]?.usage.reduce((sum, { counts }) => sum + counts.total, 0) ?? 0
    below[parent] = below[parent]! + below[index]! + own
  }
  return below
}
