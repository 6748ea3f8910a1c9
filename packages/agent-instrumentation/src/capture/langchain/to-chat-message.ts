import type { JsonObject } from '@heddle/core-api'
import type { Message } from '@heddle/core-api/histories'
import { isJsonObject, objectsOf } from '../json-values.ts'
import { isUnrecordable, type Unrecordable } from '../model-api.ts'
import type { LangChainMessage } from './langchain-run.ts'

/** Parts that models send no more than once: what they thought, and calls that are in `tool_calls` too. */
const unsentParts = new Set(['tool_use', 'tool_call', 'reasoning', 'reasoning_content', 'thinking', 'redacted_thinking'])
const knownParts = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal'])

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool', function: 'function' }

/** The chat completion message that LangChain sends for one of its messages, with the same fields in the same order. */
export function toChatMessage(message: LangChainMessage): Message | Unrecordable {
  const content = toContent(message.content)
  if (isJsonObject(content) && isUnrecordable(content)) return content
  const { additional_kwargs: more = {} } = message
  const calls = toolCallsOf(message)
  const toolCallId = fieldOf(message, 'tool_call_id')
  return {
    role: roleOf(message),
    content,
    ...(typeof message.name === 'string' && { name: message.name }),
    ...(isJsonObject(more['function_call']) && { function_call: more['function_call'] }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(calls.length === 0 && typeof toolCallId === 'string' && { tool_call_id: toolCallId }),
  }
}

/** Its arguments are written again from their values, as they are sent. */
function toolCallsOf(message: LangChainMessage): JsonObject[] {
  const calls = objectsOf(fieldOf(message, 'tool_calls'))
  if (calls.length === 0) return objectsOf(message.additional_kwargs?.['tool_calls'])
  return calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } }))
}

function roleOf(message: LangChainMessage): string {
  const type = message.getType?.() ?? message._getType?.() ?? String(fieldOf(message, 'type'))
  const given = message.additional_kwargs?.['__openai_role__'] ?? (type === 'generic' ? fieldOf(message, 'role') : undefined)
  return typeof given === 'string' ? given : (roles[type] ?? type)
}

export function fieldOf(message: LangChainMessage, name: string): unknown {
  return Reflect.get(message, name)
}

function toContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const parts = objectsOf(content).filter(({ type }) => !unsentParts.has(String(type)))
  const strange = parts.find(({ type }) => !knownParts.has(String(type)))
  return strange ? { unrecordable: `a part of type ${JSON.stringify(strange['type'])}, which has no form in a chat message` } : parts
}
