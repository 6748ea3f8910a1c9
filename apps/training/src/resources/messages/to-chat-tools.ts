import type { JsonObject } from '@heddle/core-api'
import { refuse } from '../chat-completions/request/refuse.ts'

/** Tools and `tool_choice` in the form of chat completions. @throws ApiError 400 that names an unsupported tool or choice */
export function toChatTools(tools: readonly JsonObject[] | null, choice: JsonObject | null): JsonObject {
  return {
    tools: tools === null ? null : tools.map((tool, index) => toChatTool(tool, `tools[${index}]`)),
    ...(choice !== null && { tool_choice: toChatChoice(choice), parallel_tool_calls: choice['disable_parallel_tool_use'] !== true }),
  }
}

function toChatTool({ type, name, description, input_schema, strict }: JsonObject, field: string): JsonObject {
  if (type !== undefined && type !== null && type !== 'custom') {
    throw refuse(
      `${field}.type`,
      `is ${JSON.stringify(type).slice(0, 100)}, a tool that the server would have to run; only tools that the client runs are supported`,
    )
  }
  const called = { name, description, parameters: input_schema, strict }
  return { type: 'function', function: Object.fromEntries(Object.entries(called).filter(([, value]) => value !== undefined)) }
}

function toChatChoice({ type, name }: JsonObject): unknown {
  switch (type) {
    case 'auto':
    case 'none':
      return type
    case 'any':
      return 'required'
    case 'tool':
      if (typeof name !== 'string') throw refuse('tool_choice.name', 'is missing; it names the tool to call')
      return { type: 'function', function: { name } }
    default:
      throw refuse('tool_choice.type', `is ${JSON.stringify(type)?.slice(0, 100)}; it may be "auto", "any", "tool" or "none"`)
  }
}
