import type { ArrayNode, SchemaNode } from '../grammar/schema-node.ts'
import { DistinctElementFrame } from './distinct-element.ts'
import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'
import type { FrameOf } from './object.ts'
import { space } from './space.ts'

const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

export class ArrayFrame implements Frame {
  readonly canEnd = false
  readonly #elements: Elements

  constructor(node: ArrayNode, frameOf: FrameOf) {
    this.#elements = new Elements(node, frameOf)
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol === openBracket) out.push({ frame: space, rest: { frame: new FirstElementFrame(this.#elements), rest } })
  }
}

/** The part of a list that has been written. */
interface ArrayPrefix {
  count: number
  /** In the spelling of constants; kept only where no two may be equal. */
  values: readonly string[]
}

class Elements {
  readonly #node: ArrayNode
  readonly #frameOf: FrameOf

  constructor(node: ArrayNode, frameOf: FrameOf) {
    this.#node = node
    this.#frameOf = frameOf
  }

  canEnd({ count }: ArrayPrefix): boolean {
    return count >= this.#node.min
  }

  /** The next element with its continuation; null if there can be none. */
  after({ count, values }: ArrayPrefix, rest: TextPosition | null): TextPosition | null {
    const schema: SchemaNode | null = this.#node.prefix[count] ?? this.#node.items
    if (count >= this.#node.max || schema === null) return null
    const follow = (value: readonly string[]): TextPosition => {
      const written = { count: count + 1, values: [...values, ...value] }
      return { frame: space, rest: { frame: new FurtherElementFrame(this, written), rest } }
    }
    if (this.#node.distinctAt === null) return { frame: this.#frameOf(schema), rest: follow([]) }
    return { frame: DistinctElementFrame.start({ schema, values, frameOf: this.#frameOf, after: (value) => follow([value]) }), rest: null }
  }
}

/** Behind the opening bracket: the end, or the first element. */
class FirstElementFrame implements Frame {
  readonly canEnd = false
  readonly #elements: Elements

  constructor(elements: Elements) {
    this.#elements = elements
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    const none = { count: 0, values: [] }
    if (symbol === closeBracket && this.#elements.canEnd(none)) out.push(rest)
    const value = this.#elements.after(none, rest)
    value?.frame.next(symbol, value, out)
  }
}

/** Behind an element: the end, or a comma and the next one. */
class FurtherElementFrame implements Frame {
  readonly canEnd = false
  readonly #elements: Elements
  readonly #written: ArrayPrefix

  constructor(elements: Elements, written: ArrayPrefix) {
    this.#elements = elements
    this.#written = written
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol === closeBracket && this.#elements.canEnd(this.#written)) out.push(rest)
    if (symbol !== comma) return
    const further = this.#elements.after(this.#written, rest)
    if (further !== null) out.push({ frame: space, rest: further })
  }
}
