import { slicesOf } from '../../../slices-of.ts'
import type { TreeNode } from '../calls-store.ts'

/** Nodes that are visited before other work may run. */
const nodesAtOnce = 10_000

/**
 * The given calls and everything below them, following parents, each after its parent; ids that are not nodes are omitted. A loop of parents is
 * walked once.
 */
export async function withDescendants(nodes: readonly TreeNode[], ids: readonly string[]): Promise<string[]> {
  const childrenOf = new Map<string, string[]>()
  const known = new Set<string>()
  for await (const some of slicesOf(nodes, nodesAtOnce)) {
    for (const { id, parent_id } of some) {
      known.add(id)
      const siblings = childrenOf.get(parent_id)
      if (siblings === undefined) childrenOf.set(parent_id, [id])
      else siblings.push(id)
    }
  }
  const found = new Set(ids.filter((id) => known.has(id)))
  let level = [...found]
  while (level.length > 0) {
    const below: string[] = []
    for await (const some of slicesOf(level, nodesAtOnce)) {
      for (const id of some) {
        for (const child of childrenOf.get(id) ?? []) {
          if (found.has(child)) continue
          found.add(child)
          below.push(child)
        }
      }
    }
    level = below
  }
  return [...found]
}
