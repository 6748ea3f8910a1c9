import type { ChoiceNode, SchemaNode } from './schema-node.ts'

/**
 * Replaces alternatives that are choices by their own alternatives, throughout the graph. A choice that leads back to itself adds nothing by that: its
 * other alternatives are all that it offers.
 */
export function flattenChoices(root: SchemaNode): void {
  const nodes = new Set([root])
  for (const node of nodes) {
    if (node.kind === 'choice') {
      node.alternatives = leavesOf(node)
      for (const alternative of node.alternatives) nodes.add(alternative)
    } else if (node.kind === 'array') {
      if (node.items !== null) nodes.add(node.items)
    } else if (node.kind === 'object') {
      for (const value of [...node.values, node.additional]) if (value !== null) nodes.add(value)
    }
  }
}

function leavesOf(choice: ChoiceNode): SchemaNode[] {
  const choices = new Set<ChoiceNode>([choice])
  const leaves = new Set<SchemaNode>()
  for (const { alternatives } of choices) {
    for (const alternative of alternatives) {
      if (alternative.kind === 'choice') choices.add(alternative)
      else leaves.add(alternative)
    }
  }
  return [...leaves]
}
