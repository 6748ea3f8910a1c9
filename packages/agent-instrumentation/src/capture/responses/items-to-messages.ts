import type { JsonObject } from '@heddle/core-api'
import { functionNameIn, type Message } from '@heddle/core-api/histories'
import { objectsOf } from '../json-values.ts'
import { isUnrecordable, type Unrecordable } from '../model-api.ts'
import { chatParts, refusalOfParts, textOfParts } from './content-parts.ts'

/**
 * Converts items of the Responses API to messages. One response of the model may be several items, such as a text and its tool calls, but is one
 * message here, so adjacent items of the assistant are merged. Reasoning is omitted; it is kept in the choice that it led to.
 */
export function itemsToMessages(items: readonly JsonObject[]): Message[] | Unrecordable {
  const messages: Message[] = []
  let open: Message | undefined
  for (const item of items) {
    const type = typeof item['type'] === 'string' ? item['type'] : 'message'
    if (type === 'reasoning') continue
    const call = toToolCall(type, item)
    const isAssistant = call !== undefined || item['role'] === 'assistant'
    if (isAssistant) {
      if (!open || startsAnother(open, item)) messages.push((open = { role: 'assistant', content: null }))
      if (call) open['tool_calls'] = [...objectsOf(open['tool_calls']), call]
      else addContent(open, item['content'])
      continue
    }
    open = undefined
    const message = toMessage(type, item)
    if (isUnrecordable(message)) return message
    messages.push(message)
  }
  return messages
}

/** Texts that the program wrote itself carry no id, and are a message each. */
function startsAnother(open: Message, item: JsonObject): boolean {
  return item['role'] === 'assistant' && open['content'] !== null && typeof item['id'] !== 'string'
}

function addContent(message: Message, content: unknown) {
  message['content'] = `${typeof message['content'] === 'string' ? message['content'] : ''}${textOfParts(content)}`
  const refusal = refusalOfParts(content)
  if (refusal !== undefined) message['refusal'] = refusal
}

function toToolCall(type: string, item: JsonObject): JsonObject | undefined {
  const id = item['call_id']
  if (type === 'function_call') {
    const namespace = typeof item['namespace'] === 'string' ? item['namespace'] : null
    return { id, type: 'function', function: { name: functionNameIn(namespace, String(item['name'])), arguments: item['arguments'] } }
  }
  if (type === 'custom_tool_call') return { id, type: 'custom', custom: { name: item['name'], input: item['input'] } }
  return undefined
}

function toMessage(type: string, item: JsonObject): Message | Unrecordable {
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return { role: 'tool', tool_call_id: item['call_id'], content: chatParts(item['output']) }
  if (type === 'message' && typeof item['role'] === 'string') return { role: item['role'], content: chatParts(item['content']) }
  return { unrecordable: `an item of type ${JSON.stringify(type)}, which has no form as a chat message` }
}
