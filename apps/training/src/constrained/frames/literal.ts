import { createLiteralTree, type LiteralTree } from '../grammar/literal-tree.ts'
import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'

/** One of the texts of a tree: the rest of it. */
export class LiteralFrame implements Frame {
  readonly canEnd: boolean
  readonly #tree: LiteralTree

  constructor(tree: LiteralTree) {
    this.#tree = tree
    this.canEnd = tree.isEnd
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    const child = this.#tree.children.get(symbol)
    if (child === undefined) return
    out.push(child.children.size === 0 ? rest : { frame: new LiteralFrame(child), rest })
  }
}

/** Exactly this text. */
export function literal(text: string): LiteralFrame {
  return new LiteralFrame(createLiteralTree([new TextEncoder().encode(text)]))
}
