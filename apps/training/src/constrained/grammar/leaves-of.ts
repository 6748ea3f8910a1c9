import type { ChoiceNode, SchemaNode } from './schema-node.ts'

/** The alternatives of a node, with nested choices expanded. */
export function leavesOf(node: SchemaNode): Set<Exclude<SchemaNode, ChoiceNode>> {
  const nodes = new Set([node])
  const leaves = new Set<Exclude<SchemaNode, ChoiceNode>>()
  for (const each of nodes) {
    if (each.kind !== 'choice') leaves.add(each)
    else for (const alternative of each.alternatives) nodes.add(alternative)
  }
  return leaves
}
