import type { CompiledSize } from '../schema/compiled-size.ts'
import { type Frame, type Pending, type TextSymbol } from './frame.ts'

/** A tree of texts by their symbols. */
export interface LiteralTree {
  readonly children: ReadonlyMap<TextSymbol, LiteralTree>
  /** True when a text ends here. */
  readonly isEnd: boolean
}

interface MutableTree {
  children: Map<TextSymbol, MutableTree>
  isEnd: boolean
}

/** The tree of these texts; none of them may be empty. With a size, its states are counted there. @throws SchemaError when that becomes too large */
export function createLiteralTree(texts: Iterable<Iterable<TextSymbol>>, size?: CompiledSize): LiteralTree {
  const root: MutableTree = { children: new Map(), isEnd: false }
  for (const text of texts) {
    let tree = root
    for (const symbol of text) tree = childOf(tree, symbol, size)
    tree.isEnd = true
  }
  return root
}

/** The tree of all texts of these trees, whose states are counted. @throws SchemaError when they are too many */
export function mergeLiteralTrees(trees: readonly LiteralTree[], size: CompiledSize): LiteralTree {
  const root: MutableTree = { children: new Map(), isEnd: false }
  const pairs = trees.map((from) => ({ from, to: root }))
  for (const { from, to } of pairs) {
    to.isEnd ||= from.isEnd
    size.addTransitions(from.children.size)
    for (const [symbol, child] of from.children) pairs.push({ from: child, to: childOf(to, symbol, size) })
  }
  return root
}

function childOf(tree: MutableTree, symbol: TextSymbol, size: CompiledSize | undefined): MutableTree {
  const known = tree.children.get(symbol)
  if (known !== undefined) return known
  size?.addStates(1)
  const child: MutableTree = { children: new Map(), isEnd: false }
  tree.children.set(symbol, child)
  return child
}

/** One of the texts of a tree, all of it that is left. */
export class LiteralFrame implements Frame {
  readonly canEnd: boolean
  readonly #tree: LiteralTree

  constructor(tree: LiteralTree) {
    this.#tree = tree
    this.canEnd = tree.isEnd
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    const child = this.#tree.children.get(symbol)
    if (child === undefined) return
    out.push(child.children.size === 0 ? rest : { frame: new LiteralFrame(child), rest })
  }
}

/** Exactly this text. */
export function literal(text: string): LiteralFrame {
  return new LiteralFrame(createLiteralTree([new TextEncoder().encode(text)]))
}
