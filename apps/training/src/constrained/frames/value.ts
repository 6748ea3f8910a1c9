import type { SchemaNode } from '../schema/schema-node.ts'
import { ArrayFrame } from './array.ts'
import type { Frame, Pending, TextSymbol } from './frame.ts'
import { integer } from './integer.ts'
import { LiteralFrame } from './literal.ts'
import { number } from './number.ts'
import { ObjectFrame } from './object.ts'
import { StringFrame } from './string.ts'

/** The frame that writes a value of a schema. */
export function valueFrame(node: SchemaNode): Frame {
  switch (node.kind) {
    case 'literal':
      return new LiteralFrame(node.tree)
    case 'string':
      return new StringFrame(node.bounds)
    case 'number':
      return number
    case 'integer':
      return integer(node.bounds)
    case 'object':
      return new ObjectFrame(node, valueFrame)
    case 'array':
      return new ArrayFrame(node, valueFrame)
    case 'choice':
      return new ChoiceFrame(node.alternatives)
  }
}

/** Any of several values. Alternatives are entered only when a symbol comes, so a recursive schema takes no more than the text goes deep. */
class ChoiceFrame implements Frame {
  readonly canEnd = false
  readonly #alternatives: readonly SchemaNode[]

  constructor(alternatives: readonly SchemaNode[]) {
    this.#alternatives = alternatives
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    for (const alternative of this.#alternatives) {
      const frame = valueFrame(alternative)
      frame.next(symbol, { frame, rest }, out)
    }
  }
}
