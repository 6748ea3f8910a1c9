import type { JsonObject } from '@heddle/core-api'
import { functionNameIn } from '@heddle/core-api/histories'
import { isJsonObject } from '@heddle/core-api/internal'
import type { ResponseRequest } from '@heddle/core-api/types'
import { refuse } from '../chat-completions/request/refuse.ts'

/** One turn of the assistant. Its items arrive in order: reasoning, a message, tool calls. */
interface Turn {
  reasoning: string
  content: string | JsonObject[] | null
  calls: JsonObject[]
}

/**
 * Converts the input to messages of a chat completion. All items of one assistant turn become one message, as the model sampled it.
 * @throws ApiError 400 that names the item that cannot be used
 */
export function toChatMessages(input: ResponseRequest['input']): JsonObject[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const messages: JsonObject[] = []
  let turn: Turn | null = null
  const endTurn = () => {
    if (turn !== null) messages.push(toAssistant(turn))
    turn = null
  }
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`
    const part = toTurn(item, at)
    if (part === null) {
      endTurn()
      messages.push(toMessage(item, at))
      continue
    }
    if (turn !== null && item['type'] !== 'function_call' && hasAnswer(turn)) endTurn()
    if (turn === null) turn = part
    else extend(turn, part)
  }
  endTurn()
  return messages
}

/** Null for an item that is not from the assistant. */
function toTurn(item: JsonObject, at: string): Turn | null {
  const { type, role } = item
  if (type === 'reasoning') return { reasoning: reasoningOf(item), content: null, calls: [] }
  if (type === 'function_call') return { reasoning: '', content: null, calls: [toCall(item, at)] }
  const isOfAssistant = (type === undefined || type === 'message') && role === 'assistant'
  return isOfAssistant ? { reasoning: '', content: contentOf(item['content'], `${at}.content`), calls: [] } : null
}

const hasAnswer = ({ content, calls }: Turn) => content !== null || calls.length > 0

/** Mutates the turn: copying it for each item would be quadratic in the size of the request. */
function extend(turn: Turn, next: Turn): void {
  turn.reasoning += next.reasoning
  turn.content ??= next.content
  turn.calls.push(...next.calls)
}

function toAssistant({ reasoning, content, calls }: Turn): JsonObject {
  return {
    role: 'assistant',
    content: content ?? (calls.length > 0 ? null : ''),
    ...(reasoning !== '' && { reasoning, reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function toMessage(item: JsonObject, at: string): JsonObject {
  const { type, role } = item
  if (type === 'function_call_output')
    return { role: 'tool', tool_call_id: textField(item, 'call_id', at), content: contentOf(item['output'], `${at}.output`) }
  if (type !== undefined && type !== 'message') {
    const possible = 'messages, "function_call", "function_call_output" and "reasoning" are possible'
    throw refuse(`${at}.type`, `is ${JSON.stringify(type).slice(0, 100)}, which models here cannot read; ${possible}`)
  }
  if (role !== 'user' && role !== 'system' && role !== 'developer')
    throw refuse(`${at}.role`, `is ${JSON.stringify(role)?.slice(0, 100)}; it may be "user", "assistant", "system" or "developer"`)
  return { role, content: contentOf(item['content'], `${at}.content`) }
}

/** Omits encrypted reasoning of other servers, which cannot be read; templates omit the reasoning of earlier turns too. */
function reasoningOf({ content }: JsonObject): string {
  const parts: unknown[] = Array.isArray(content) ? content : []
  return parts.map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('')
}

function toCall(item: JsonObject, at: string): JsonObject {
  const namespace = typeof item['namespace'] === 'string' ? item['namespace'] : null
  const called = { name: functionNameIn(namespace, textField(item, 'name', at)), arguments: textField(item, 'arguments', at) }
  return { id: textField(item, 'call_id', at), type: 'function', function: called }
}

const textTypes: readonly unknown[] = ['input_text', 'output_text', 'text']

function contentOf(content: unknown, place: string): string | JsonObject[] {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw refuse(place, 'must be a string or a list of parts')
  const texts = content.map((part: unknown, index): JsonObject => {
    const at = `${place}[${index}]`
    const type = isJsonObject(part) ? part['type'] : undefined
    if (!isJsonObject(part) || !textTypes.includes(type))
      throw refuse(`${at}.type`, `is ${JSON.stringify(type)?.slice(0, 100)}, which models here cannot read; only text is possible`)
    return { type: 'text', text: textField(part, 'text', at) }
  })
  return texts.length === 1 ? (texts[0]!['text'] as string) : texts
}

function textField(item: JsonObject, name: string, at: string): string {
  const value = item[name]
  if (typeof value !== 'string') throw refuse(`${at}.${name}`, 'must be a string')
  return value
}
