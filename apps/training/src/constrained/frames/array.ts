import type { ArrayNode } from '../schema/schema-node.ts'
import { type Frame, type Pending, type TextSymbol } from './frame.ts'
import type { FrameOf } from './object.ts'
import { space } from './space.ts'

const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

export class ArrayFrame implements Frame {
  readonly canEnd = false
  readonly #node: ArrayNode
  readonly #frameOf: FrameOf

  constructor(node: ArrayNode, frameOf: FrameOf) {
    this.#node = node
    this.#frameOf = frameOf
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    if (symbol === openBracket) out.push({ frame: space, rest: { frame: new FirstElementFrame(this.#node, this.#frameOf), rest } })
  }
}

/** Behind the opening bracket: the end, or the first element. */
class FirstElementFrame implements Frame {
  readonly canEnd = false
  readonly #node: ArrayNode
  readonly #frameOf: FrameOf

  constructor(node: ArrayNode, frameOf: FrameOf) {
    this.#node = node
    this.#frameOf = frameOf
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    if (symbol === closeBracket && this.#node.min === 0) out.push(rest)
    if (this.#node.items === null || this.#node.max < 1) return
    const value: Pending = { frame: this.#frameOf(this.#node.items), rest: afterElement(this.#node, this.#frameOf, 1, rest) }
    value.frame.next(symbol, value, out)
  }
}

/** Behind an element: the end, or a comma and the next one. */
class FurtherElementFrame implements Frame {
  readonly canEnd = false
  readonly #node: ArrayNode
  readonly #frameOf: FrameOf
  readonly #count: number

  constructor(node: ArrayNode, frameOf: FrameOf, count: number) {
    this.#node = node
    this.#frameOf = frameOf
    this.#count = count
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    if (symbol === closeBracket && this.#count >= this.#node.min) out.push(rest)
    if (symbol !== comma || this.#count >= this.#node.max) return
    const further = afterElement(this.#node, this.#frameOf, this.#count + 1, rest)
    out.push({ frame: space, rest: { frame: this.#frameOf(this.#node.items!), rest: further } })
  }
}

function afterElement(node: ArrayNode, frameOf: FrameOf, count: number, rest: Pending | null): Pending {
  return { frame: space, rest: { frame: new FurtherElementFrame(node, frameOf, count), rest } }
}
