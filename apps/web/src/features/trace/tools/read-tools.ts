import { memberOf } from '@heddle/core-api/internal'
import { parseExactJson } from '@heddle/json/exact'
import { readConversation } from '@heddle/trace-model'
import { textMember } from '../../../lib/text-member.ts'

/** A tool that a model was given. */
export interface ToolDefinition {
  name: string
  description: string
  /** Its parameters as they were given, mostly a JSON Schema; undefined without any. */
  parameters: unknown
  /** How often the answer calls it. */
  calls: number
}

/**
 * The tools that a model was given and how often its answer calls each, from the usual shapes of inputs and attributes. Called tools that were not
 * given are listed last, without a description.
 */
export function readTools(call: Readonly<Record<string, unknown>>): ToolDefinition[] {
  const { inputs, attributes } = call
  const tools = new Map<string, ToolDefinition>()
  const requests = [inputs, ...namedValue(inputs)]
  const lists = [
    ...requests.flatMap((request) => [
      memberOf(request, 'tools'),
      memberOf(request, 'functions'),
      memberOf(memberOf(request, 'config'), 'tools'),
    ]),
    memberOf(attributes, 'tools'),
  ]
  for (const given of lists.flatMap(listOf)) {
    const described = memberOf(given, 'function') ?? given
    const name = textMember(described, 'name')
    const parameters = ['parameters', 'input_schema', 'inputSchema']
      .map((key) => memberOf(described, key))
      .find((found) => found !== undefined)
    if (name !== '' && !tools.has(name)) tools.set(name, { name, description: textMember(described, 'description'), parameters, calls: 0 })
  }
  for (const name of calledNames(call)) {
    const tool = tools.get(name) ?? { name, description: '', parameters: undefined, calls: 0 }
    tools.set(name, { ...tool, calls: tool.calls + 1 })
  }
  return [...tools.values()]
}

/** The value that inputs are when they are kept under the name of an attribute of a span. */
function namedValue(inputs: unknown): unknown[] {
  const [name, ...others] = typeof inputs === 'object' && inputs !== null ? Object.keys(inputs) : []
  return name === undefined || others.length > 0 ? [] : [parsed(memberOf(inputs, name))]
}

/** A list, also one that is kept as a text of JSON, as attributes of spans have it. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.map(parsed)
  const read = parsed(value)
  return Array.isArray(read) ? read : []
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseExactJson(value)
  } catch {
    return undefined
  }
}

function calledNames(call: Readonly<Record<string, unknown>>): string[] {
  return readConversation(call).output.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_call' ? part.name : [])))
}
