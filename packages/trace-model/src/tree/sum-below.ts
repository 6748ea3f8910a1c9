import type { TreeCall, TreeNode } from './build-tree.ts'

/**
 * Totals of each call and all calls below it, by id; calls without any are omitted. Takes linear time, without recursion.
 * @param own value of the call itself; undefined for none
 */
export function sumBelow<T extends TreeCall, V>(
  roots: readonly TreeNode<T>[],
  own: (call: T) => V | undefined,
  add: (one: V, other: V) => V,
): Map<string, V> {
  const sums = new Map<string, V>()
  for (const { call, children } of parentsFirst(roots).reverse()) {
    const parts = [own(call), ...children.map((child) => sums.get(child.call.id))].filter((part) => part !== undefined)
    const [first, ...others] = parts
    if (first !== undefined) sums.set(call.id, others.reduce(add, first))
  }
  return sums
}

/** All nodes, each before those below it. */
export function parentsFirst<T extends TreeCall>(roots: readonly TreeNode<T>[]): TreeNode<T>[] {
  const nodes = [...roots]
  for (const { children } of nodes) for (const child of children) nodes.push(child)
  return nodes
}
