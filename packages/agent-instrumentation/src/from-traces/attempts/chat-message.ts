import type { JsonObject } from '@heddle/core-api'
import type { Message } from '@heddle/core-api/histories'
import { objectsOf } from '../../capture/json-values.ts'

/** A recorded message as chat completions write it. Undefined for anything that is not a message. */
export function toChatMessage(value: JsonObject): Message | undefined {
  if (typeof value['role'] !== 'string') return undefined
  return Array.isArray(value['parts']) ? fromParts(value['role'], objectsOf(value['parts'])) : value
}

/** Messages of the semantic conventions for generative AI are lists of parts. */
function fromParts(role: string, parts: readonly JsonObject[]): Message {
  const response = parts.find(({ type }) => type === 'tool_call_response')
  if (response) return { role: 'tool', tool_call_id: response['id'], content: toText(response['response'] ?? response['result']) }
  const calls = parts.filter(({ type }) => type === 'tool_call').map(toToolCall)
  const texts = parts.filter(({ type }) => type === 'text').map(({ content }) => toText(content))
  return { role, content: texts.join('\n'), ...(calls.length > 0 && { tool_calls: calls }) }
}

function toToolCall({ id, name, arguments: input }: JsonObject): JsonObject {
  return { id, type: 'function', function: { name, arguments: toText(input) } }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
