import { countDecimals, type DecimalBounds, decimalPlaces } from '../grammar/decimal-bounds.ts'
import { countIntegers, type IntegerBounds } from '../grammar/integer-bounds.ts'
import { createLiteralTree, mergeLiteralTrees, textsOf } from '../grammar/literal-tree.ts'
import { childrenOf } from '../grammar/children-of.ts'
import type { CompiledSize } from '../grammar/compiled-size.ts'
import type { Refuse } from './conjunction.ts'
import { fewStrings } from './few-strings.ts'
import { leavesOf } from '../grammar/leaves-of.ts'
import { createPatternAutomaton } from '../grammar/pattern-automaton.ts'
import { greatestDivisor } from './read-bounds.ts'
import type { ArrayNode, LeafNode, SchemaNode } from '../grammar/schema-node.ts'

interface Context {
  size: CompiledSize
  refuse: Refuse
}

/**
 * Converts the elements of lists without duplicates to forms that are distinguishable while they are written, and bounds the lists by the number of
 * values. Lists of anything but constants, strings and numbers are refused.
 */
export function keepDistinct(root: SchemaNode, context: Context): void {
  const nodes = new Set([root])
  for (const node of nodes) {
    if (node.kind === 'array' && node.distinctAt !== null) node.distinctAt = keepElementsDistinct(node, node.distinctAt, context)
    for (const child of childrenOf(node)) nodes.add(child)
  }
}

/** Null if there is nothing to distinguish, or it is ignored. */
function keepElementsDistinct(node: ArrayNode, pointer: string, { size, refuse }: Context): string | null {
  if (node.max < 2 || node.items === null) return null
  if (node.prefix.length > 0) {
    refuse('"uniqueItems" beside "prefixItems"', pointer, 'leave "uniqueItems" out')
    return null
  }
  const leaves = [...leavesOf(node.items)]
  if (!leaves.every(isLeaf)) {
    refuse('"uniqueItems" of objects or lists', pointer, 'leave "uniqueItems" out, or list the values with "enum"')
    return null
  }
  const distinct = withOneTree(
    leaves.map((leaf) => distinctForm(leaf, size)),
    size,
  )
  node.items = { kind: 'choice', alternatives: distinct }
  node.max = Math.min(node.max, mostOf(distinct))
  return pointer
}

function isLeaf(node: SchemaNode): node is LeafNode {
  return node.kind !== 'object' && node.kind !== 'array' && node.kind !== 'choice'
}

function distinctForm(leaf: LeafNode, size: CompiledSize): LeafNode {
  switch (leaf.kind) {
    case 'literal':
      return leaf
    case 'integer':
      return { kind: 'integer', bounds: { ...leaf.bounds, ...within(leaf.bounds, BigInt(Number.MAX_SAFE_INTEGER)) } }
    case 'number':
      return { kind: 'number', bounds: withDistinctPlaces(leaf.bounds ?? { low: null, high: null }) }
    case 'string': {
      const { min, max } = leaf.bounds
      const start = min > max ? null : createPatternAutomaton([], leaf.bounds, size)
      return fewAsConstants({ kind: 'pattern', start, max }, size)
    }
    case 'pattern':
      return fewAsConstants(leaf, size)
  }
}

/** Numbers that must differ are below a billion, with this many decimal places: every reader can distinguish these. */
const distinctPlaces = 6
const distinctHigh = 10n ** BigInt(9 + decimalPlaces)

function withDistinctPlaces(bounds: DecimalBounds): DecimalBounds {
  const place = 10n ** BigInt(decimalPlaces - distinctPlaces)
  const { multipleOf = place } = bounds
  return { ...within(bounds, distinctHigh), multipleOf: (multipleOf / greatestDivisor(multipleOf, place)) * place }
}

function within({ low, high }: Pick<IntegerBounds, 'low' | 'high'>, most: bigint): { low: bigint; high: bigint } {
  return { low: low === null || low < -most ? -most : low, high: high === null || high > most ? most : high }
}

function fewAsConstants(leaf: Extract<LeafNode, { kind: 'pattern' }>, size: CompiledSize): LeafNode {
  const few = leaf.start === null ? [] : fewStrings(leaf.start, leaf.max)
  if (few === null) return leaf
  return {
    kind: 'literal',
    tree: createLiteralTree(
      few.map((text) => new TextEncoder().encode(JSON.stringify(text))),
      size,
    ),
  }
}

function withOneTree(leaves: readonly LeafNode[], size: CompiledSize): LeafNode[] {
  const trees = leaves.flatMap((leaf) => (leaf.kind === 'literal' ? [leaf.tree] : []))
  const others = leaves.filter(({ kind }) => kind !== 'literal')
  if (trees.length === 0) return others
  return [{ kind: 'literal', tree: trees.length === 1 ? trees[0]! : mergeLiteralTrees(trees, size) }, ...others]
}

/** How many values there are at least. */
function mostOf(leaves: readonly LeafNode[]): number {
  return Math.max(0, ...leaves.map(countOf))
}

function countOf(leaf: LeafNode): number {
  switch (leaf.kind) {
    case 'literal':
      return textsOf(leaf.tree).length
    case 'integer':
      return Number(countIntegers(leaf.bounds))
    case 'number':
      return Number(countDecimals(leaf.bounds!))
    default:
      return Infinity
  }
}
