import { memberOf } from '@heddle/core-api/internal'
import { firstMember, isObject, textAt } from './json-value.ts'
import type { MessagePart, ToolCallPart, ToolResultPart } from './message.ts'

const idNames = ['call_id', 'callId', 'id', 'toolCallId', 'toolUseId', 'tool_call_id', 'tool_use_id', 'ref'] as const
const answeredNames = ['tool_call_id', 'tool_use_id', 'toolCallId', 'toolUseId', 'call_id', 'callId', 'ref', 'id'] as const

/** A call of a tool, as a part of a message or as an element of its `tool_calls`. Undefined when it names no tool. */
export function toToolCall(recorded: unknown): ToolCallPart | undefined {
  const call = memberOf(recorded, 'tool_call') ?? recorded
  const called = firstMember(call, 'function', 'toolUse', 'functionCall', 'function_call', 'toolRequest') ?? call
  const both = [called, call]
  const name = firstText(both, 'name', 'toolName', 'tool_name')
  if (name === undefined) return undefined
  const given = both.map((value) => firstMember(value, 'arguments', 'args', 'input', 'parameters')).find((found) => found !== undefined)
  return { type: 'tool_call', ...optionalText('id', firstText(both, ...idNames)), name, arguments: given ?? null }
}

/** The result of a tool, as a part of a message or as a message with the role of a tool. */
export function toToolResult(recorded: unknown): ToolResultPart {
  const answer = firstMember(recorded, 'toolResult', 'functionResponse', 'function_response', 'toolResponse') ?? recorded
  return {
    type: 'tool_result',
    ...optionalText('id', firstText([answer, recorded], ...answeredNames)),
    ...optionalText('name', firstText([answer, recorded], 'toolName', 'tool_name', 'name')),
    result: unwrapped(firstMember(answer, 'response', 'result', 'output', 'content', 'contents', 'parts', 'text') ?? null),
  }
}

/** A tool in the messages of a page, whose one part grows from the call to its result. */
export function toPageTool(part: Readonly<Record<string, unknown>>, type: string): readonly MessagePart[] {
  const tool = { ...optionalText('id', textAt(part, 'toolCallId')), name: textAt(part, 'toolName') ?? type.replace(/^tool-/, '') }
  const call: ToolCallPart = { type: 'tool_call', ...tool, arguments: firstMember(part, 'input', 'args') ?? null }
  const result = firstMember(part, 'output', 'errorText')
  return result === undefined ? [call] : [call, { type: 'tool_result', ...tool, result: unwrapped(result) }]
}

/** The result without what conventions wrap it in: a list of one part, `{ type: 'text', value }`, `{ result }`; at most four of them. */
function unwrapped(result: unknown): unknown {
  let value = result
  for (let layer = 0; layer < 4; layer += 1) {
    const inner = insideOf(value)
    if (inner === undefined || inner === null) break
    value = inner
  }
  return value
}

/** Undefined for a value that wraps nothing. */
function insideOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? (value[0] as unknown) : undefined
  if (!isObject(value)) return undefined
  const [only, ...others] = Object.keys(value)
  if (others.length === 0 && wrappers.has(only ?? '')) return value[only as string]
  return wrapperTypes.has(textAt(value, 'type') ?? '') ? firstMember(value, 'value', 'text', 'content') : undefined
}

const wrappers: ReadonlySet<string> = new Set(['result', 'text', 'json', 'output', 'message_content'])
const wrapperTypes: ReadonlySet<string> = new Set([
  'text',
  'json',
  'error-text',
  'error-json',
  'output_text',
  'input_text',
  'tool_call_response',
])

function firstText(values: readonly unknown[], ...names: readonly string[]): string | undefined {
  for (const value of values) for (const name of names) if (textAt(value, name) !== undefined) return textAt(value, name)
  return undefined
}

function optionalText<Name extends string>(name: Name, text: string | undefined): { [N in Name]?: string } {
  return (text === undefined ? {} : { [name]: text }) as { [N in Name]?: string }
}
