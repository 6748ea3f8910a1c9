import type { TreeNode } from '../calls-store.ts'

/** The given calls and everything below them, following parents; ids that are not nodes are left out. A loop of parents is walked once. */
export function withDescendants(nodes: readonly TreeNode[], ids: readonly string[]): string[] {
  const childrenOf = new Map<string, string[]>()
  for (const { id, parent_id } of nodes) {
    const siblings = childrenOf.get(parent_id)
    if (siblings === undefined) childrenOf.set(parent_id, [id])
    else siblings.push(id)
  }
  const known = new Set(nodes.map((node) => node.id))
  const found = new Set(ids.filter((id) => known.has(id)))
  // A set is walked in the order of insertion, also over what is added on the way.
  for (const id of found) for (const child of childrenOf.get(id) ?? []) found.add(child)
  return [...found]
}
