import type { Constraint, ToolCallFormat, ToolSchema } from '../engine/engine.ts'
import { AlphanumericFrame } from './frames/alphanumeric.ts'
import type { Frame, Pending, Places, TextSymbol } from './frames/frame.ts'
import { createLiteralTree, LiteralFrame } from './frames/literal.ts'
import { valueFrame } from './frames/value.ts'
import { anyObject } from './schema/any-node.ts'
import type { CompiledSize } from './schema/compiled-size.ts'
import { compileSchema } from './schema/compile-schema.ts'
import { SchemaError } from './schema/schema-error.ts'
import type { SchemaNode } from './schema/schema-node.ts'

export type ToolCallConstraint = Extract<Constraint, { kind: 'tool-call' }>

/** Calls may be to so many tools at most. */
export const maxTools = 128

/**
 * Where a text of calls begins: one place for each tool. A call is the opening of the format with the name of the tool, arguments that its schema allows, and
 * the end.
 */
export function startToolCalls(
  { tools, format, parallel }: ToolCallConstraint,
  spell: (text: string) => TextSymbol[],
  size: CompiledSize,
): Places {
  if (tools.length > maxTools) throw new SchemaError(`there are ${tools.length} tools; ${maxTools} are possible`)
  const parameters = tools.map((tool) => valueFrame(compileParameters(tool, size)))
  const ends = endOfCall(format, spell)
  const startAll = (before: string) => {
    const openings = tools.map(({ name }) => exactly(spell(`${before}${format.begin}${name}${format.middle}`)))
    return (rest: Pending | null) =>
      openings.map((frame, place): Pending => ({ frame, rest: { frame: parameters[place]!, rest: follow(ends, rest) } }))
  }
  const epilogue = format.epilogue === '' ? null : { frame: exactly(spell(format.epilogue)), rest: null }
  const first = startAll(format.preamble)
  if (!parallel || format.separator === null) return first(epilogue)
  return first({ frame: new FurtherCallsFrame(startAll(format.separator)), rest: epilogue })
}

function endOfCall({ id, end }: ToolCallFormat, spell: (text: string) => TextSymbol[]): Frame[] {
  const last = exactly(spell(end))
  return id === null ? [last] : [exactly(spell(id.before)), new AlphanumericFrame(id.length), last]
}

/** The frames one behind the other. */
function follow(frames: readonly Frame[], rest: Pending | null): Pending {
  return frames.reduceRight<Pending | null>((behind, frame) => ({ frame, rest: behind }), rest)!
}

const exactly = (symbols: readonly TextSymbol[]): Frame => new LiteralFrame(createLiteralTree([symbols]))

/** Arguments are an object, also where the schema does not say so. @throws SchemaError for a keyword that a strict tool cannot enforce, or when all tools together are too large */
export function compileParameters({ name, parameters, strict }: ToolSchema, size: CompiledSize): SchemaNode {
  if (parameters === null || parameters === undefined) return anyObject
  const schema = typeof parameters === 'object' && Object.keys(parameters).length === 0 ? { type: 'object' } : parameters
  try {
    return compileSchema(schema, { unsupported: strict ? 'refuse' : 'ignore', size })
  } catch (error) {
    if (error instanceof SchemaError) throw new SchemaError(`parameters of tool "${name}": ${error.message}`, { cause: error })
    throw error
  }
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
