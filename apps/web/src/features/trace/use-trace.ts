import { buildTree, listNodes } from '@heddle/trace-model'
import { useMemo } from 'react'
import type { TraceCall } from './trace-queries.ts'
import { countedUsage, settleUsage, totalUsage, type UsageByCall, usageBelow } from './usage/usage-of-trace.ts'
import { lastRequestBelow } from './views/last-request-below.ts'
import { modelRequestsOf } from './views/model-calls.ts'

const noCalls: readonly TraceCall[] = []

/**
 * Derived data of the calls of a trace and their usage: its trees, its thread, the usage of each call with those below it, and the calls below the
 * selected one, by default the root.
 */
export function useTrace(
  trace: { calls: readonly TraceCall[] } | undefined,
  usage: { usage: UsageByCall } | undefined,
  selected: string | undefined,
) {
  const calls = trace?.calls ?? noCalls
  const roots = useMemo(() => buildTree(calls), [calls])
  const settled = useMemo(() => usage && settleUsage(calls, usage.usage), [calls, usage])
  const counted = useMemo(() => usage && countedUsage(settled, usage.usage), [settled, usage])
  const totals = useMemo(() => counted && totalUsage(roots, counted), [roots, counted])
  const requests = useMemo(() => usage && modelRequestsOf(calls, settled), [calls, usage, settled])
  const nodes = useMemo(() => new Map(listNodes(roots).map((node) => [node.call.id, node])), [roots])
  const node = nodes.get(selected ?? roots[0]?.call.id ?? '')
  const below = useMemo(
    () => ({ calls: node?.children.map(({ call }) => call) ?? [], usage: node && counted && usageBelow(node, counted) }),
    [node, counted],
  )
  const requestBelow = useMemo(() => node && requests && lastRequestBelow(node, requests), [node, requests])
  return { root: roots[0]?.call, roots, threadId: settled?.threadId ?? null, totals, requests, below, requestBelow }
}
