import type { Constraint, ToolCallFormat, ToolSchema } from './constraint.ts'
import { AlphanumericFrame } from './frames/alphanumeric.ts'
import type { Frame, TextPosition, Places, TextSymbol } from './frames/frame.ts'
import { createLiteralTree } from './grammar/literal-tree.ts'
import { LiteralFrame } from './frames/literal.ts'
import { valueFrame } from './frames/value.ts'
import { anyObject } from './schema/any-node.ts'
import type { CompiledSize } from './grammar/compiled-size.ts'
import { compileSchema } from './schema/compile-schema.ts'
import { SchemaError } from './grammar/schema-error.ts'
import type { SchemaNode } from './grammar/schema-node.ts'

export type ToolCallConstraint = Extract<Constraint, { kind: 'tool-call' }>

/** Calls may be to so many tools at most. */
export const maxTools = 128

/**
 * The start positions of a text of calls, one per tool. A call is the opening of the format with the name of the tool, arguments that its schema
 * allows, and the end.
 */
export function startToolCalls(
  { tools, format, parallel }: ToolCallConstraint,
  spell: (text: string) => TextSymbol[],
  size: CompiledSize,
): Places {
  const startAll = callsAfter({ tools, format, parallel }, spell, size)
  return startAll(`${format.preamble}${format.begin}`)(null)
}

type StartCalls = (rest: TextPosition | null) => Places

/** Calls behind a text that leads up to the name of the first one. */
export function callsAfter(
  { tools, format, parallel }: Pick<ToolCallConstraint, 'tools' | 'format' | 'parallel'>,
  spell: (text: string) => TextSymbol[],
  size: CompiledSize,
): (opening: string) => StartCalls {
  if (tools.length > maxTools) throw new SchemaError(`there are ${tools.length} tools; ${maxTools} are possible`)
  const parameters = tools.map((tool) => valueFrame(compileParameters(tool, size)))
  const ends = endOfCall(format, spell)
  const start = (before: string): StartCalls => {
    const openings = tools.map(({ name }) => untilArguments(`${before}${name}`, format, spell))
    return (rest) => openings.map((frames, index) => follow([...frames, parameters[index]!, ...ends], rest))
  }
  const epilogue = format.epilogue === '' ? null : exactly(spell(format.epilogue))
  const further = parallel && format.separator !== null ? new FurtherCallsFrame(start(`${format.separator}${format.begin}`)) : null
  return (opening) => {
    const first = start(opening)
    return (rest) => {
      const end = epilogue === null ? rest : { frame: epilogue, rest }
      return first(further === null ? end : { frame: further, rest: end })
    }
  }
}

function untilArguments(opening: string, { id, middle }: ToolCallFormat, spell: (text: string) => TextSymbol[]): Frame[] {
  if (id?.behind !== 'name') return [exactly(spell(opening + middle))]
  return [exactly(spell(opening + id.before)), new AlphanumericFrame(id.length), exactly(spell(middle))]
}

/** No text follows arguments that are directly followed by the next call, or the end of the answer. */
function endOfCall({ id, end }: ToolCallFormat, spell: (text: string) => TextSymbol[]): Frame[] {
  const last = exactly(spell(end))
  if (id?.behind !== 'arguments') return end === '' ? [] : [last]
  return [exactly(spell(id.before)), new AlphanumericFrame(id.length), last]
}

/** The frames one behind the other. */
function follow(frames: readonly Frame[], rest: TextPosition | null): TextPosition {
  return frames.reduceRight<TextPosition | null>((behind, frame) => ({ frame, rest: behind }), rest)!
}

const exactly = (symbols: readonly TextSymbol[]): Frame => new LiteralFrame(createLiteralTree([symbols]))

/**
 * Arguments are an object, even if the schema does not require it. @throws SchemaError for a keyword that a strict tool cannot enforce, or if all
 * tools together are too large
 */
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
  readonly #start: (rest: TextPosition) => Places

  constructor(start: (rest: TextPosition) => Places) {
    this.#start = start
  }

  next(symbol: TextSymbol, here: TextPosition, out: (TextPosition | null)[]): void {
    for (const place of this.#start(here)) place!.frame.next(symbol, place!, out)
  }
}
