import type { SchemaNode } from './schema-node.ts'

/** The nodes that a node refers to. */
export function childrenOf(node: SchemaNode): SchemaNode[] {
  if (node.kind === 'choice') return node.alternatives
  if (node.kind === 'array') return node.items === null ? node.prefix : [...node.prefix, node.items]
  if (node.kind === 'object') return [...node.values, ...(node.others?.values ?? [])].filter((value) => value !== null)
  return []
}
