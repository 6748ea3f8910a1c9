import type { Constraint, JsonConstraint, ToolCallFormat, ToolSchema } from '../../constrained/constraint.ts'
import { EngineError } from '../engine.ts'

/** A form of answers as inference servers take it: a JSON Schema, or a structural tag of XGrammar as JSON text. */
export type StructuredOutput = { json: unknown } | { structural_tag: string }

type Format = { type: string } & Record<string, unknown>
type ToolCalls = Extract<Constraint, { kind: 'tool-call' }>

/** @throws EngineError `unsupported` for a form that has no words there */
export function toStructuredOutput(constraint: Constraint): StructuredOutput {
  if (constraint.kind !== 'tool-call') return { json: schemaOf(constraint) }
  return { structural_tag: JSON.stringify({ type: 'structural_tag', format: formatOf(constraint) }) }
}

const schemaOf = (constraint: JsonConstraint): unknown => (constraint.kind === 'json-object' ? { type: 'object' } : constraint.schema)

function formatOf(constraint: ToolCalls): Format {
  const { otherwise } = constraint
  if (otherwise === undefined) return forcedCalls(constraint)
  if (otherwise.kind === 'text') return textWithCalls(constraint, otherwise.open)
  return { type: 'or', elements: [{ type: 'json_schema', json_schema: schemaOf(otherwise) }, forcedCalls(constraint)] }
}

/** The calls, from the beginning of the answer to its end. */
function forcedCalls({ tools, format, parallel }: ToolCalls): Format {
  const several = parallel && format.separator !== null
  const calls: Format = {
    type: 'tags_with_separator',
    tags: tagsOf(tools, format),
    separator: format.separator ?? '',
    at_least_one: true,
    stop_after_first: !several,
  }
  return sequence([...text(format.preamble), calls, ...text(format.epilogue)])
}

/** Text in which every call is one that a tool takes. */
function textWithCalls({ tools, format, parallel }: ToolCalls, open: string): Format {
  const isFramed = open !== '' && format.begin.startsWith(open) && format.epilogue === ''
  if (!isFramed)
    throw new EngineError(
      'unsupported',
      'strict tools and parallel_tool_calls with tool_choice "auto" are not supported by the sampler for the calls of this model; set tool_choice to "required" or leave them out',
    )
  return { type: 'triggered_tags', triggers: [open], tags: tagsOf(tools, format), at_least_one: false, stop_after_first: !parallel }
}

function tagsOf(tools: readonly ToolSchema[], format: ToolCallFormat): Format[] {
  return tools.map(({ name, parameters }) => {
    const { begin, middle, id, end } = format
    const arguments_ = { type: 'json_schema', json_schema: parametersOf(parameters) }
    if (id === null) return { type: 'tag', begin: `${begin}${name}${middle}`, content: arguments_, end }
    const letters = { type: 'regex', pattern: `[a-zA-Z0-9]{${id.length}}` }
    if (id.behind === 'arguments')
      return { type: 'tag', begin: `${begin}${name}${middle}`, content: sequence([arguments_, ...text(id.before), letters]), end }
    return { type: 'tag', begin: `${begin}${name}${id.before}`, content: sequence([letters, ...text(middle), arguments_]), end }
  })
}

function parametersOf(parameters: unknown): unknown {
  const isEmpty = parameters === null || parameters === undefined || Object.keys(parameters).length === 0
  return isEmpty ? { type: 'object' } : parameters
}

const text = (value: string): Format[] => (value === '' ? [] : [{ type: 'const_string', value }])
const sequence = (elements: readonly Format[]): Format => (elements.length === 1 ? elements[0]! : { type: 'sequence', elements })
