import { memberOf } from '@heddle/core-api/internal'
import { textMember } from '../../../components/text-member.ts'
import { messagesIn } from '../read-messages.ts'

/** A tool that a model was given. */
export interface GivenTool {
  name: string
  description: string
  /** Its parameters as they were given, mostly a JSON Schema; undefined without any. */
  parameters: unknown
  /** How often the answer calls it. */
  calls: number
}

/**
 * The tools that a model was given and how often its answer calls each, from the usual shapes of inputs and attributes. Tools that it calls without
 * having been given any such come last, without a description.
 */
export function readTools({ inputs, output, attributes }: Readonly<Record<string, unknown>>): GivenTool[] {
  const tools = new Map<string, GivenTool>()
  const lists = [
    memberOf(inputs, 'tools'),
    memberOf(inputs, 'functions'),
    memberOf(memberOf(inputs, 'config'), 'tools'),
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
  for (const name of calledNames(output)) {
    const tool = tools.get(name) ?? { name, description: '', parameters: undefined, calls: 0 }
    tools.set(name, { ...tool, calls: tool.calls + 1 })
  }
  return [...tools.values()]
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
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}

function calledNames(output: unknown): string[] {
  return messagesIn(output).flatMap((message) => {
    const parts = ['content', 'parts'].flatMap((name) => listed(memberOf(message, name))).filter(isToolCall)
    return [...listed(memberOf(message, 'tool_calls')), ...parts]
      .map((call) => textMember(memberOf(call, 'function') ?? call, 'name'))
      .filter((name) => name !== '')
  })
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isToolCall = (part: unknown) => ['tool_call', 'tool_use', 'function_call'].includes(textMember(part, 'type'))
