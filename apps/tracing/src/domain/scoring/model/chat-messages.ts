import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { fillKnown } from './fill-format.ts'

/** A message of a chat completion, in the form of the providers. */
export type ChatMessage = JsonObject

const messageFields = ['role', 'content', 'name', 'function_call', 'tool_call_id', 'tool_calls']

/** The messages of a template or a stored prompt. Entries that are not objects are ignored, and so are unknown fields. */
export function readMessages(value: unknown): ChatMessage[] {
  const list = isJsonObject(value) ? value['messages'] : value
  if (!Array.isArray(list)) return []
  return list.filter(isJsonObject).map((message) => {
    const given = messageFields.filter((field) => message[field] !== null && message[field] !== undefined)
    return Object.fromEntries(given.map((field) => [field, message[field]]))
  })
}

/** Applies `change` to the texts of messages, also to those in lists of content parts. */
export function mapTexts(messages: readonly ChatMessage[], change: (text: string) => string): ChatMessage[] {
  const toPart = (part: unknown) =>
    isJsonObject(part) && typeof part['text'] === 'string' ? { ...part, text: change(part['text']) } : part
  const toContent = (content: unknown) =>
    typeof content === 'string' ? change(content) : Array.isArray(content) ? content.map(toPart) : content
  return messages.map((message) => ('content' in message ? { ...message, content: toContent(message['content']) } : message))
}

/** The messages for one row: those of the template, with the columns of the row filled in unless they are kept as they are, then what the row has as `user_input`. */
export function messagesForRow(template: readonly ChatMessage[], row: JsonObject, { fills = true } = {}): ChatMessage[] {
  const own = fills ? mapTexts(template, (text) => fillKnown(text, row)) : template
  return [...own, ...userInput(row['user_input'])]
}

function userInput(input: unknown): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  if (Array.isArray(input)) return readMessages(input)
  return isJsonObject(input) ? readMessages([input]) : []
}
