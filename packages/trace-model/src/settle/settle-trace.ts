import { type CallStatus, hasFailedAtOrBelow, statusWithDescendants } from '../calls/call-status.ts'
import { linkParents, type ParentLinks, startsBefore } from '../tree/link-parents.ts'
import type { ModelCounts } from '../usage/read-usage.ts'
import { addCounts } from '../usage/token-counts.ts'
import { type CallCount, type CountedUsage, countUsage } from './counted-usage.ts'
import { readReported, type ReportedUsage } from './reported-usage.ts'
import type { TraceNode } from './trace-node.ts'
import { noteReportsMore, noteSimilar, type TraceNote } from './trace-notes.ts'
import { threadOf } from './trace-thread.ts'

export type { CallCount }

/** Data about a call from its trace. */
export interface CallMark {
  /** Takes errors below the call into account. */
  status: CallStatus
  /** Its parent is not among the calls, or its parents led back to itself. */
  isRoot: boolean
  /** It names a parent that is not among the calls: one that was not sent (yet), was deleted, or is of another project. */
  isParentMissing: boolean
  /** Whether the usage that it reports counts; undefined where it reports none. */
  count: CallCount | undefined
  /** Its usage that counts, by model. */
  counted: readonly ModelCounts[]
  /** Ids of the calls whose usage is subtracted from the reported one; empty except for `rest`. */
  less: readonly string[]
  /** Id of the call that reports the same request, which may repeat another one in turn; null unless it is `repeated`. */
  repeats: string | null
}

/** The usage of one model in one call that counts. */
export interface SettledUsage extends ModelCounts {
  callId: string
}

/** A trace as the sum of its calls. Times are microseconds since 1970. */
export interface SettledTrace {
  /** The call without parent id that started first, else the first orphan, else the first call of a cycle. */
  rootId: string
  /** The root names a parent that is not among the calls. */
  isParentMissing: boolean
  startedAt: number
  /** The last end; null while no call has ended. */
  endedAt: number | null
  /** Status of the root, which reflects errors anywhere in the trace. */
  status: CallStatus
  calls: number
  /** Calls that failed themselves. */
  errors: number
  threadId: string | null
  /** The usage that counts, by model, in the order of the calls. */
  usage: readonly ModelCounts[]
  notes: readonly TraceNote[]
  /** The usage of each call that has usage that counts. */
  rows: readonly SettledUsage[]
  /** Marks of each call, by its id. */
  marks: ReadonlyMap<string, CallMark>
}

/**
 * Decides which usage of a trace counts, its root, thread and status, and the marks of its calls. The nodes are all calls of one trace that are not
 * deleted, each id once, in any order: the result does not depend on it. Takes at most n log n time and no recursion.
 * @returns undefined for no nodes
 */
export function settleTrace(unordered: readonly TraceNode[]): SettledTrace | undefined {
  const nodes = unordered.toSorted((one, other) => (startsBefore(one, other) ? -1 : 1))
  const links = linkParents(nodes)
  const root = nodes[rootPlace(links)]
  if (root === undefined) return undefined
  const reported = readReported(nodes, links)
  const counted = countUsage(nodes, links, reported)
  const thread = threadOf(nodes, root)
  const noted = { nodes, links, reported, counted }
  const marks = marksOf(nodes, { links, reported, counted })
  const errors = nodes.filter(({ status }) => status === 'error').length
  const rows = nodes.flatMap(({ id }, index) => (counted[index]?.usage ?? []).map((used) => ({ callId: id, ...used })))
  return {
    rootId: root.id,
    isParentMissing: marks.get(root.id)!.isParentMissing,
    startedAt: nodes[0]!.startedAt,
    endedAt: nodes.reduce<number | null>((last, { endedAt }) => (endedAt === null ? last : Math.max(last ?? endedAt, endedAt)), null),
    status: statusWithDescendants(
      root.status,
      nodes.some(({ status }) => hasFailedAtOrBelow(status)),
    ),
    calls: nodes.length,
    errors,
    threadId: thread.threadId,
    usage: sumByModel(rows),
    notes: [...thread.notes, ...noteReportsMore(noted), ...noteSimilar(noted)],
    rows,
    marks,
  }
}

/** Takes nodes in the order of their starts. */
function rootPlace({ parents, isOrphan, isCut }: ParentLinks): number {
  const named = parents.findIndex((parent, index) => parent < 0 && isOrphan[index] === 0 && isCut[index] === 0)
  if (named >= 0) return named
  const orphan = isOrphan.indexOf(1)
  return orphan >= 0 ? orphan : isCut.indexOf(1)
}

interface Settling {
  links: ParentLinks
  reported: ReportedUsage
  counted: readonly (CountedUsage | undefined)[]
}

function marksOf(nodes: readonly TraceNode[], { links, reported, counted }: Settling): Map<string, CallMark> {
  const hasFailedBelow = failuresBelow(nodes, links)
  return new Map(
    nodes.map(({ id, status }, index): [string, CallMark] => {
      const { count, repeats } = counted[index] ?? {}
      return [
        id,
        {
          status: statusWithDescendants(status, hasFailedBelow[index] === 1),
          isRoot: links.parents[index]! < 0,
          isParentMissing: links.isOrphan[index] === 1,
          count,
          counted: counted[index]?.usage ?? [],
          less: count === 'rest' ? reported.wireFrontiers[index]!.map((below) => nodes[below]!.id) : [],
          repeats: repeats === undefined ? null : nodes[repeats]!.id,
        },
      ]
    }),
  )
}

/** 1 for each call below which another failed, or of which a client counted errors. */
function failuresBelow(nodes: readonly TraceNode[], { parents, order }: ParentLinks): Uint8Array {
  const failed = new Uint8Array(nodes.length)
  for (let at = order.length - 1; at >= 0; at--) {
    const index = order[at]!
    const parent = parents[index]!
    if (parent >= 0 && (failed[index] === 1 || hasFailedAtOrBelow(nodes[index]!.status))) failed[parent] = 1
  }
  return failed
}

function sumByModel(rows: readonly SettledUsage[]): ModelCounts[] {
  const sums = new Map<string, ModelCounts>()
  for (const { model, counts } of rows) {
    const known = sums.get(model)
    sums.set(model, { model, counts: known ? addCounts(known.counts, counts) : counts })
  }
  return [...sums.values()]
}
