import type { Constraint, ToolSchema } from '../engine/engine.ts'
import type { Frame, Pending, Places, TextSymbol } from './frames/frame.ts'
import { createLiteralTree, LiteralFrame } from './frames/literal.ts'
import { valueFrame } from './frames/value.ts'
import { anyObject } from './schema/any-node.ts'
import { compileSchema } from './schema/compile-schema.ts'
import { SchemaError } from './schema/schema-error.ts'
import type { SchemaNode } from './schema/schema-node.ts'

export type ToolCallConstraint = Extract<Constraint, { kind: 'tool-call' }>

/** Calls may be to so many tools at most. */
export const maxTools = 128

interface Callable {
  /** Up to the arguments. */
  opening: TextSymbol[]
  parameters: SchemaNode
}

/**
 * Where a text of calls begins: one place for each tool. A call is the opening of the format with the name of the tool, arguments that its schema allows, and
 * the end.
 */
export function startToolCalls({ tools, format, parallel }: ToolCallConstraint, spell: (text: string) => TextSymbol[]): Places {
  if (tools.length > maxTools) throw new SchemaError(`there are ${tools.length} tools; ${maxTools} are possible`)
  const callables = tools.map((tool) => ({
    opening: spell(`${format.begin}${tool.name}${format.middle}`),
    parameters: compileParameters(tool),
  }))
  const end = new LiteralFrame(createLiteralTree([spell(format.end)]))
  const separator = spell(format.separator)
  const start = (before: readonly TextSymbol[], rest: Pending | null) =>
    callables.map((callable) => startCall({ callable, before, end, rest }))
  if (!parallel) return start([], null)
  const further: Pending = { frame: new FurtherCallsFrame((rest) => start(separator, rest)), rest: null }
  return start([], further)
}

/** Arguments are an object, also where the schema does not say so. @throws SchemaError for a keyword that a strict tool cannot enforce */
export function compileParameters({ name, parameters, strict }: ToolSchema): SchemaNode {
  if (parameters === null || parameters === undefined) return anyObject
  const schema = typeof parameters === 'object' && Object.keys(parameters).length === 0 ? { type: 'object' } : parameters
  try {
    return compileSchema(schema, { unsupported: strict ? 'refuse' : 'ignore' })
  } catch (error) {
    if (error instanceof SchemaError) throw new SchemaError(`parameters of tool "${name}": ${error.message}`, { cause: error })
    throw error
  }
}

interface CallParts {
  callable: Callable
  before: readonly TextSymbol[]
  end: Frame
  rest: Pending | null
}

function startCall({ callable, before, end, rest }: CallParts): Pending {
  const opening = new LiteralFrame(createLiteralTree([[...before, ...callable.opening]]))
  return { frame: opening, rest: { frame: valueFrame(callable.parameters), rest: { frame: end, rest } } }
}

/** Behind a call: the end, or another call. */
class FurtherCallsFrame implements Frame {
  readonly canEnd = true
  readonly #start: (rest: Pending) => Places

  constructor(start: (rest: Pending) => Places) {
    this.#start = start
  }

  next(symbol: TextSymbol, here: Pending, out: (Pending | null)[]): void {
    for (const place of this.#start(here)) place!.frame.next(symbol, place!, out)
  }
}
