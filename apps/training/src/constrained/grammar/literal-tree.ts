import type { CompiledSize } from './compiled-size.ts'

/** A tree of texts by their symbols: bytes, and special tokens above them. */
export interface LiteralTree {
  readonly children: ReadonlyMap<number, LiteralTree>
  /** True when a text ends here. */
  readonly isEnd: boolean
}

interface MutableTree {
  children: Map<number, MutableTree>
  isEnd: boolean
}

/** The tree of these texts; none of them may be empty. With a size, its states are counted there. @throws SchemaError when that becomes too large */
export function createLiteralTree(texts: Iterable<Iterable<number>>, size?: CompiledSize): LiteralTree {
  const root: MutableTree = { children: new Map(), isEnd: false }
  for (const text of texts) {
    let tree = root
    for (const symbol of text) tree = childOf(tree, symbol, size)
    tree.isEnd = true
  }
  return root
}

/** True when this is one of the texts. */
export function admitsText(tree: LiteralTree, text: Iterable<number>): boolean {
  let reached: LiteralTree | undefined = tree
  for (const symbol of text) reached = reached?.children.get(symbol)
  return reached?.isEnd === true
}

/** All of the texts, Latin-1: a character for each byte. */
export function textsOf(tree: LiteralTree): string[] {
  const begun = [{ tree, text: '' }]
  for (const { tree: at, text } of begun)
    for (const [symbol, child] of at.children) begun.push({ tree: child, text: text + String.fromCharCode(symbol) })
  return begun.filter((each) => each.tree.isEnd).map(({ text }) => text)
}

/** The tree without one of its texts. Unchanged parts are shared. */
export function withoutText(tree: LiteralTree, text: readonly number[]): LiteralTree {
  const path = [tree]
  for (const symbol of text) {
    const below = path.at(-1)!.children.get(symbol)
    if (below === undefined) return tree
    path.push(below)
  }
  return path.reduceRight<LiteralTree | null>((below, at, place) => {
    if (place === text.length) return { children: at.children, isEnd: false }
    const children = new Map(at.children)
    if (below!.isEnd || below!.children.size > 0) children.set(text[place]!, below!)
    else children.delete(text[place]!)
    return { children, isEnd: at.isEnd }
  }, null)!
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

function childOf(tree: MutableTree, symbol: number, size: CompiledSize | undefined): MutableTree {
  const known = tree.children.get(symbol)
  if (known !== undefined) return known
  size?.addStates(1)
  const child: MutableTree = { children: new Map(), isEnd: false }
  tree.children.set(symbol, child)
  return child
}
