import type { JsonObject } from '@heddle/core-api'
import type { Message } from '@heddle/core-api/histories'
import { isJsonObject, objectsOf } from '../json-values.ts'
import { type Conversation, isUnrecordable, type Unrecordable } from '../model-api.ts'
import type { CallOptions, PromptMessage } from './language-model.ts'

/** A call of the AI SDK as messages and tools of a chat completion. */
export function toConversation({ prompt, tools }: Pick<CallOptions, 'prompt' | 'tools'>): Conversation | Unrecordable {
  const messages: Message[] = []
  for (const message of prompt) {
    const converted = toMessages(message)
    if (isUnrecordable(converted)) return converted
    messages.push(...converted)
  }
  const all = (tools ?? []).map(({ type, name, description, inputSchema }) =>
    type === 'function'
      ? { type, function: { name, ...(description !== undefined && { description }), parameters: inputSchema } }
      : { type, name },
  )
  return { messages, tools: all.length === 0 ? null : all }
}

function toMessages({ role, content }: PromptMessage): Message[] | Unrecordable {
  if (typeof content === 'string') return [{ role, content }]
  const parts = objectsOf(content)
  const strange = parts.find((part) => !isKnown(part))
  if (strange) return { unrecordable: `a part of type ${JSON.stringify(strange['type'])}, which has no form in a chat message` }
  if (role === 'assistant') return [toAssistantMessage(parts)]
  if (role === 'tool')
    return parts
      .filter(({ type }) => type === 'tool-result')
      .map(({ toolCallId, output }) => ({ role, tool_call_id: toolCallId, content: toResultText(output) }))
  const [first, ...others] = parts
  if (first && others.length === 0 && first['type'] === 'text') return [{ role, content: first['text'] }]
  return [{ role, content: parts.map(toChatPart) }]
}

/** Tool approvals never leave the AI SDK. */
const knownParts = ['text', 'reasoning', 'tool-call', 'tool-result', 'tool-approval-response']

function isKnown({ type, mediaType, data }: JsonObject): boolean {
  if (type !== 'file') return knownParts.includes(String(type))
  const content = contentOf(data)
  return /^image($|\/)/.test(String(mediaType)) && (typeof content === 'string' || content instanceof Uint8Array || content instanceof URL)
}

/** Data of a file: the value itself, or from AI SDK 7 on, the property named after its kind. */
function contentOf(data: unknown): unknown {
  return isJsonObject(data) && (data['type'] === 'data' || data['type'] === 'url') ? data[data['type']] : data
}

/** The assistant's message, from the parts of a message or of a response, without reasoning. */
export function toAssistantMessage(parts: readonly JsonObject[]): Message {
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => String(text))
  const calls = parts.filter(({ type }) => type === 'tool-call').map(toToolCall)
  return { role: 'assistant', content: texts.length === 0 ? null : texts.join(''), ...(calls.length > 0 && { tool_calls: calls }) }
}

/** Responses carry the arguments as the text that was sampled, later prompts as the value of that. */
function toToolCall({ toolCallId, toolName, input }: JsonObject): JsonObject {
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: text } }
}

function toResultText(output: unknown): string {
  if (!isJsonObject(output)) return JSON.stringify(output ?? null)
  // Same text that providers send to the model.
  if (output['type'] === 'execution-denied') return typeof output['reason'] === 'string' ? output['reason'] : 'Tool call execution denied.'
  return typeof output['value'] === 'string' ? output['value'] : JSON.stringify(output['value'] ?? null)
}

function toChatPart({ type, text, mediaType, data }: JsonObject): JsonObject {
  if (type === 'text') return { type, text }
  const content = contentOf(data)
  const media = ['image', 'image/*'].includes(String(mediaType)) ? 'image/jpeg' : String(mediaType)
  const base64 = content instanceof Uint8Array ? Buffer.from(content).toString('base64') : String(content)
  return { type: 'image_url', image_url: { url: content instanceof URL ? content.href : `data:${media};base64,${base64}` } }
}
