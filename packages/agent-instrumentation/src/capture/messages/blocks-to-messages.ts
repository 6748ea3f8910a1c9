import type { JsonObject } from '@heddle/core-api'
import type { Message } from '@heddle/core-api/histories'
import { isJsonObject, objectsOf } from '../json-values.ts'
import { isUnrecordable, type Unrecordable } from '../model-api.ts'

/** The system prompt as the first message; none where it is absent or empty. */
export function systemToMessages(system: unknown): Message[] {
  const content = typeof system === 'string' ? system : textsOf(objectsOf(system))
  return content.length === 0 ? [] : [{ role: 'system', content }]
}

/** Converts messages of blocks to those of chat completions: tool results are separate messages. */
export function blocksToMessages(messages: readonly JsonObject[]): Message[] | Unrecordable {
  const converted: Message[] = []
  for (const { role, content } of messages) {
    if (typeof content === 'string') converted.push({ role, content })
    else {
      const found = role === 'assistant' ? ofAssistant(objectsOf(content)) : ofOthers(role, objectsOf(content))
      if (isUnrecordable(found)) return found
      converted.push(...found)
    }
  }
  return converted
}

/** A turn of the assistant is one message with its texts, its reasoning and its calls. `argumentsOf` writes the input of a call. */
export function ofAssistant(blocks: readonly JsonObject[], argumentsOf = inputText): Message[] | Unrecordable {
  const [texts, thoughts, calls]: [string[], string[], JsonObject[]] = [[], [], []]
  for (const block of blocks) {
    const { type, text, thinking, id, name } = block
    if (type === 'text') texts.push(String(text))
    else if (type === 'thinking') thoughts.push(String(thinking))
    else if (type === 'tool_use') calls.push({ id, type: 'function', function: { name, arguments: argumentsOf(block) } })
    else if (type !== 'redacted_thinking') return unknownBlock(type)
  }
  const reasoning = thoughts.join('')
  const message = {
    role: 'assistant',
    content: texts.join(''),
    ...(reasoning !== '' && { reasoning, reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return [message]
}

const inputText = ({ input }: JsonObject) => JSON.stringify(input ?? {})

/** A message for each result of a tool, and for the other blocks between them. */
function ofOthers(role: unknown, blocks: readonly JsonObject[]): Message[] | Unrecordable {
  const messages: Message[] = []
  let parts: JsonObject[] = []
  const endParts = () => {
    if (parts.length > 0) messages.push({ role, content: contentOf(parts) })
    parts = []
  }
  for (const block of blocks) {
    if (block['type'] === 'tool_result') {
      endParts()
      const result = toToolMessage(block)
      if (isUnrecordable(result)) return result
      messages.push(result)
    } else {
      const part = toPart(block)
      if (isUnrecordable(part)) return part
      parts.push(part)
    }
  }
  endParts()
  return messages.length > 0 ? messages : [{ role, content: '' }]
}

function toToolMessage({ tool_use_id, content }: JsonObject): Message | Unrecordable {
  if (typeof content === 'string') return { role: 'tool', tool_call_id: tool_use_id, content }
  const parts: JsonObject[] = []
  for (const block of objectsOf(content)) {
    const part = toPart(block)
    if (isUnrecordable(part)) return part
    parts.push(part)
  }
  return { role: 'tool', tool_call_id: tool_use_id, content: parts.length === 0 ? '' : contentOf(parts) }
}

function toPart({ type, text, source }: JsonObject): JsonObject | Unrecordable {
  if (type === 'text') return { type, text }
  const url = type === 'image' && isJsonObject(source) ? urlOf(source) : undefined
  return url === undefined ? unknownBlock(type) : { type: 'image_url', image_url: { url } }
}

function urlOf({ type, url, media_type: mediaType, data }: JsonObject): string | undefined {
  if (type === 'url' && typeof url === 'string') return url
  return type === 'base64' ? `data:${String(mediaType)};base64,${String(data)}` : undefined
}

const textsOf = (blocks: readonly JsonObject[]) => contentOf(blocks.map(({ text }) => ({ type: 'text', text })))

/** One text is the content itself. */
function contentOf(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only, ...others] = parts
  return others.length === 0 && only?.['type'] === 'text' ? String(only['text']) : parts
}

const unknownBlock = (type: unknown): Unrecordable => ({
  unrecordable: `a block of type ${JSON.stringify(type) ?? 'undefined'}, which has no form as a chat message`,
})
