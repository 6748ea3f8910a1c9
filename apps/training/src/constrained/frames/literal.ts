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

/** The tree of these texts; none of them may be empty. */
export function createLiteralTree(texts: Iterable<Iterable<TextSymbol>>): LiteralTree {
  const root: MutableTree = { children: new Map(), isEnd: false }
  for (const text of texts) {
    let tree = root
    for (const symbol of text) {
      let child = tree.children.get(symbol)
      if (child === undefined) tree.children.set(symbol, (child = { children: new Map(), isEnd: false }))
      tree = child
    }
    tree.isEnd = true
  }
  return root
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
