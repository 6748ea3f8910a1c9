import { type LiteralTree, mergeLiteralTrees } from '../grammar/literal-tree.ts'
import { childrenOf } from '../grammar/children-of.ts'
import type { CompiledSize } from '../grammar/compiled-size.ts'
import type { ChoiceNode, SchemaNode } from '../grammar/schema-node.ts'

/**
 * Replaces alternatives that are choices by their own alternatives, throughout the graph, and several constants by one tree of them. A choice that leads
 * back to itself adds nothing by that: its other alternatives are all that it offers.
 * @throws SchemaError when the graph becomes too large
 */
export function flattenChoices(root: SchemaNode, size: CompiledSize): void {
  const nodes = new Set([root])
  const flattened = new Map<ChoiceNode, SchemaNode[]>()
  for (const node of nodes) {
    if (node.kind === 'choice') {
      const source = sourceOf(node)
      const alternatives = flattened.get(source) ?? alternativesOf(source, size)
      flattened.set(source, alternatives)
      flattened.set(node, alternatives)
      node.alternatives = alternatives
      for (const alternative of node.alternatives) nodes.add(alternative)
    } else {
      for (const child of childrenOf(node)) nodes.add(child)
    }
  }
}

/** The choice whose alternatives these are: a reference alone offers what its target does, and shares it. */
function sourceOf(choice: ChoiceNode): ChoiceNode {
  const passed = new Set<ChoiceNode>()
  for (let source = choice; ;) {
    passed.add(source)
    const [only, ...others] = source.alternatives
    if (only?.kind !== 'choice' || others.length > 0 || passed.has(only)) return source
    source = only
  }
}

function alternativesOf(choice: ChoiceNode, size: CompiledSize): SchemaNode[] {
  const leaves = leavesOf(choice, size)
  const trees = leaves.flatMap((leaf) => (leaf.kind === 'literal' ? [leaf.tree] : []))
  if (trees.length < 2) return leaves
  const merged: LiteralTree = mergeLiteralTrees(trees, size)
  return [{ kind: 'literal', tree: merged }, ...leaves.filter(({ kind }) => kind !== 'literal')]
}

function leavesOf(choice: ChoiceNode, size: CompiledSize): SchemaNode[] {
  const choices = new Set<ChoiceNode>([choice])
  const leaves = new Set<SchemaNode>()
  for (const { alternatives } of choices) {
    size.addTransitions(alternatives.length)
    for (const alternative of alternatives) {
      if (alternative.kind === 'choice') choices.add(alternative)
      else leaves.add(alternative)
    }
  }
  return [...leaves]
}
