import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { MessageRequest } from '@heddle/core-api/types'
import { stringifyJson } from '@heddle/json'
import { refuse } from '../chat-completions/request/refuse.ts'

type RequestMessage = MessageRequest['messages'][number]
type Content = RequestMessage['content']

/**
 * The conversation as chat completions take it: the system prompt is its first message, tool results are separate messages, and a turn of the
 * assistant is one message with its text, reasoning and calls.
 * @throws ApiError 400 that names the block that cannot be used
 */
export function toChatMessages(system: Content | null, messages: readonly RequestMessage[]): JsonObject[] {
  const first = system === null || system.length === 0 ? [] : [{ role: 'system', content: textOf(system, 'system') }]
  return [...first, ...messages.flatMap((message, index) => toMessages(message, `messages[${index}].content`))]
}

function toMessages({ role, content }: RequestMessage, place: string): JsonObject[] {
  if (role === 'assistant') return [ofAssistant(content, place)]
  return role === 'system' || typeof content === 'string' ? [{ role, content: textOf(content, place) }] : ofUser(content, place)
}

/** A message for each result of a tool, and for the blocks of text between them. */
function ofUser(blocks: readonly JsonObject[], place: string): JsonObject[] {
  const messages: JsonObject[] = []
  let texts: JsonObject[] = []
  const endTexts = () => {
    if (texts.length > 0) messages.push({ role: 'user', content: contentOf(texts) })
    texts = []
  }
  for (const [index, block] of blocks.entries()) {
    const at = `${place}[${index}]`
    if (block['type'] === 'text') texts.push(toText(block, at))
    else if (block['type'] === 'tool_result') {
      endTexts()
      messages.push(toToolMessage(block, at))
    } else throw refuseBlock(block, at, '"text" and "tool_result"')
  }
  endTexts()
  return messages.length > 0 ? messages : [{ role: 'user', content: '' }]
}

function toToolMessage({ tool_use_id, content }: JsonObject, at: string): JsonObject {
  if (typeof tool_use_id !== 'string') throw refuse(`${at}.tool_use_id`, 'is missing; it is the id of the call that this is the result of')
  return { role: 'tool', tool_call_id: tool_use_id, content: textOf((content ?? '') as Content, `${at}.content`) }
}

/** In the form in which a choice of the model has them, so that a recorded trajectory continues. */
function ofAssistant(content: Content, place: string): JsonObject {
  if (typeof content === 'string') return { role: 'assistant', content }
  const [texts, thoughts, calls]: [string[], string[], JsonObject[]] = [[], [], []]
  for (const [index, block] of content.entries()) {
    const at = `${place}[${index}]`
    if (block['type'] === 'text') texts.push(textField(block, 'text', at))
    else if (block['type'] === 'thinking') thoughts.push(textField(block, 'thinking', at))
    else if (block['type'] === 'tool_use') calls.push(toCall(block, at))
    else throw refuseBlock(block, at, '"text", "thinking" and "tool_use"')
  }
  const reasoning = thoughts.join('')
  return {
    role: 'assistant',
    content: texts.join(''),
    ...(reasoning !== '' && { reasoning, reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function toCall(block: JsonObject, at: string): JsonObject {
  const { input } = block
  if (!isJsonObject(input)) throw refuse(`${at}.input`, 'is missing; it is an object with the arguments of the call')
  return {
    id: textField(block, 'id', at),
    type: 'function',
    function: { name: textField(block, 'name', at), arguments: stringifyJson(input) },
  }
}

function textOf(content: Content, place: string): string | JsonObject[] {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw refuse(place, 'must be a string or a list of blocks')
  return contentOf(
    content.map((block: unknown, index) => {
      const at = `${place}[${index}]`
      if (!isJsonObject(block) || block['type'] !== 'text') throw refuseBlock(block, at, '"text"')
      return toText(block, at)
    }),
  )
}

const contentOf = (texts: JsonObject[]) => (texts.length === 1 ? (texts[0]!['text'] as string) : texts)

const toText = (block: JsonObject, at: string): JsonObject => ({ type: 'text', text: textField(block, 'text', at) })

function textField(block: JsonObject, name: string, at: string): string {
  const value = block[name]
  if (typeof value !== 'string') throw refuse(`${at}.${name}`, 'must be a string')
  return value
}

function refuseBlock(block: unknown, at: string, possible: string) {
  const type = isJsonObject(block) ? JSON.stringify(block['type'])?.slice(0, 100) : undefined
  return refuse(
    `${at}.type`,
    `${type === undefined ? 'is missing' : `is ${type}, which models here cannot read`}; blocks of ${possible} are possible here`,
  )
}
