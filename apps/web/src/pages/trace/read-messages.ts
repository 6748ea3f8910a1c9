import { mediaIn } from '../../components/value/media-in.ts'
import { memberOf } from '@heddle/core-api/internal'

/** A message of a conversation with a model. */
export interface Message {
  role: string
  text: string
  /** What the model thought before it. */
  thinking?: string
  /** The tool whose call it answers. */
  tool?: string
}

const listNames = ['messages', 'input', 'gen_ai.input.messages', 'gen_ai.output.messages', 'output']

/** The messages that a model saw and gave, from the usual shapes of its inputs and output. Empty where there are none. */
export function readMessages(inputs: unknown, output: unknown): Message[] {
  const tools = new Map<string, string>()
  return [...messagesIn(inputs), ...messagesIn(output)].map((value) => toMessage(value, tools))
}

/** The messages in inputs or an output, as they were sent. */
export function messagesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.filter(isMessage)
  if (typeof value !== 'object' || value === null) return []
  const { choices } = value as { choices?: unknown }
  if (Array.isArray(choices)) return choices.map((choice: unknown) => memberOf(choice, 'message')).filter(isMessage)
  const lists = listNames.map((name) => memberOf(value, name)).filter((list) => Array.isArray(list))
  return lists.length > 0 ? lists.flatMap((list: unknown[]) => list.filter(isMessage)) : [value].filter(isMessage)
}

const isMessage = (value: unknown) => typeof memberOf(value, 'role') === 'string'

/** @param tools names of the tools that were called so far, by the ids of the calls, to which it adds */
function toMessage(value: unknown, tools: Map<string, string>): Message {
  const lists = ['content', 'parts'].map((name) => memberOf(value, name))
  const parts = lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
  const calls = memberOf(value, 'tool_calls')
  for (const call of [...parts, ...(Array.isArray(calls) ? (calls as unknown[]) : [])]) noteTool(call, tools)
  const answered = [value, ...parts].map((part) => answeredId(part)).find((id) => id !== undefined)
  const tool = tools.get(answered ?? '')
  const thinking = [memberOf(value, 'reasoning_content'), memberOf(value, 'reasoning'), ...parts.map(thinkingOf)]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n')
  const texts = [...lists.map(contentText), toolCallsText(calls)].filter((text) => text !== '')
  return {
    role: String(memberOf(value, 'role')),
    text: texts.join('\n'),
    ...(thinking !== '' && { thinking }),
    ...(tool !== undefined && { tool }),
  }
}

function noteTool(call: unknown, tools: Map<string, string>): void {
  const [id, name] = [memberOf(call, 'id'), memberOf(memberOf(call, 'function') ?? call, 'name')]
  if (typeof id === 'string' && typeof name === 'string') tools.set(id, name)
}

/** The id of the tool call that a message or a part of one answers. */
function answeredId(part: unknown): string | undefined {
  const isResponse = memberOf(part, 'type') === 'tool_call_response'
  const id = memberOf(part, 'tool_call_id') ?? memberOf(part, 'tool_use_id') ?? (isResponse ? memberOf(part, 'id') : undefined)
  return typeof id === 'string' ? id : undefined
}

const isThinking = (part: unknown) => ['thinking', 'reasoning'].includes(String(memberOf(part, 'type')))

function thinkingOf(part: unknown): unknown {
  if (!isThinking(part)) return undefined
  return memberOf(part, 'thinking') ?? memberOf(part, 'text') ?? memberOf(part, 'content')
}

function contentText(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content)
  return content
    .filter((part) => !isThinking(part))
    .map(partText)
    .join('\n')
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const text = memberOf(part, 'text') ?? memberOf(part, 'content')
  return typeof text === 'string' ? text : JSON.stringify(mediaIn(part, '').shown)
}

function toolCallsText(calls: unknown): string {
  if (!Array.isArray(calls)) return ''
  return calls.map(toolCallText).join('\n')
}

function toolCallText(call: unknown): string {
  const called = memberOf(call, 'function') ?? call
  const [name, given] = [memberOf(called, 'name'), memberOf(called, 'arguments')]
  return typeof name === 'string' && typeof given === 'string' ? `calls ${name}(${given})` : `tool call ${JSON.stringify(called)}`
}
