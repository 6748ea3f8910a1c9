import type { TreeNode } from '@heddle/trace-model'
import type { Kind } from '../../../ui/badge.tsx'
import { signOfKind } from '../../calls/kind-of-call.ts'
import type { TraceCall } from '../trace-queries.ts'

/** The icons of calls by their ids. A call without a kind that used a model is a model call. */
export function kindsOfCalls(
  roots: readonly TreeNode<TraceCall>[],
  modelCalls: ReadonlySet<string> | undefined,
): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>()
  const open = [...roots]
  for (const { call, children } of open) {
    kinds.set(call.id, signOfKind(call.kind === 'other' && modelCalls?.has(call.id) === true ? 'model' : call.kind))
    for (const child of children) open.push(child)
  }
  return kinds
}
