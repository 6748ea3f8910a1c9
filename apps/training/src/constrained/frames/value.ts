import type { ChoiceNode, SchemaNode } from '../grammar/schema-node.ts'
import { ArrayFrame } from './array.ts'
import { decimal } from './decimal.ts'
import type { Frame, TextPosition, TextSymbol } from './frame.ts'
import { integer } from './integer.ts'
import { LiteralFrame } from './literal.ts'
import { number } from './number.ts'
import { ObjectFrame } from './object.ts'
import { PatternStringFrame } from './pattern-string.ts'
import { StringFrame } from './string.ts'

/** The frame that writes a value of a schema. */
export function valueFrame(node: SchemaNode): Frame {
  switch (node.kind) {
    case 'literal':
      return new LiteralFrame(node.tree)
    case 'string':
      return new StringFrame(node.bounds)
    case 'pattern':
      return new PatternStringFrame(node.start!, node.max)
    case 'number':
      return node.bounds === null ? number : decimal(node.bounds)
    case 'integer':
      return integer(node.bounds)
    case 'object':
      return new ObjectFrame(node, valueFrame)
    case 'array':
      return new ArrayFrame(node, valueFrame)
    case 'choice':
      return new ChoiceFrame(node)
  }
}

/** Any of several values. Alternatives are entered only when a symbol arrives, so a recursive schema needs only the depth of the text. */
class ChoiceFrame implements Frame {
  readonly canEnd = false
  readonly #choice: ChoiceNode

  constructor(choice: ChoiceNode) {
    this.#choice = choice
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    for (const alternative of alternativesBehind(this.#choice, symbol)) {
      const frame = valueFrame(alternative)
      frame.next(symbol, { frame, rest }, out)
    }
  }
}

/** For each choice, its alternatives by the symbols that may begin them. */
const alternativesBySymbol = new WeakMap<ChoiceNode, ReadonlyMap<TextSymbol, readonly SchemaNode[]>>()

function alternativesBehind(choice: ChoiceNode, symbol: TextSymbol): readonly SchemaNode[] {
  const known = alternativesBySymbol.get(choice) ?? indexBySymbol(choice)
  alternativesBySymbol.set(choice, known)
  return known.get(symbol) ?? []
}

function indexBySymbol({ alternatives }: ChoiceNode): Map<TextSymbol, SchemaNode[]> {
  const index = new Map<TextSymbol, SchemaNode[]>()
  for (const alternative of alternatives) {
    for (const symbol of firstSymbols(alternative)) {
      const beginning = index.get(symbol)
      if (beginning) beginning.push(alternative)
      else index.set(symbol, [alternative])
    }
  }
  return index
}

const numberStarts: readonly TextSymbol[] = [...'-0123456789'].map((character) => character.charCodeAt(0))
const startOf = { string: [0x22], pattern: [0x22], number: numberStarts, integer: numberStarts, object: [0x7b], array: [0x5b] } as const

/** Symbols that may begin a value; an alternative of a choice is not itself a choice. */
function firstSymbols(node: SchemaNode): Iterable<TextSymbol> {
  if (node.kind === 'literal') return node.tree.children.keys()
  if (node.kind === 'choice') return indexBySymbol(node).keys()
  return startOf[node.kind]
}
