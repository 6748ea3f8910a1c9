import { memberOf } from '@heddle/core-api/internal'
import { elementsOf, firstMember, isObject, textAt } from './json-value.ts'
import type { Message, MessagePart } from './message.ts'
import { toRole } from './role.ts'
import { toParts } from './to-parts.ts'
import { toToolCall, toToolResult } from './to-tool-parts.ts'

/**
 * The messages of one recorded value: one, none if it is not a message, or several if one record holds both tool results and a message. Items of a
 * response that are not messages themselves (a tool call, its result, reasoning) become messages.
 */
export function toMessages(recorded: unknown): readonly Message[] {
  const value = unwrapped(recorded)
  if (!isObject(value)) return []
  const role = roleOf(value)
  if (role === undefined) return fromItem(value)
  const parts = partsOf(value, role)
  const name = textAt(value, 'name')
  const named = role !== 'tool' && name !== undefined && { name }
  return splitResults(role, parts).map((message) => ({ ...message, ...named }))
}

/** Serialised objects of one library and lists of choices put the message below a member. */
function unwrapped(recorded: unknown): unknown {
  for (const name of ['message', 'kwargs', 'data']) {
    const inner = memberOf(recorded, name)
    if (name === 'message' && Array.isArray(inner) && inner.every(isObject))
      return { role: roleOf(recorded) ?? 'assistant', content: inner }
    if (!isObject(inner)) continue
    if (name === 'message' || roleOf(recorded) !== undefined) return { ...inner, role: roleOf(inner) ?? roleOf(recorded) ?? 'assistant' }
  }
  return recorded
}

/** Types of messages that one library uses instead of roles. */
const messageTypes: ReadonlySet<string> = new Set(['human', 'ai', 'system', 'tool', 'function', 'AIMessageChunk', 'user', 'assistant'])
/** Names of classes of messages, as `lc` objects have them at the end of their id. */
const messageClass = /^(Human|AI|System|Tool|Function)Message(?:Chunk)?$/

function roleOf(value: unknown): string | undefined {
  const recorded = memberOf(value, 'role')
  const role = toRole(recorded)
  if (role !== undefined) return role
  // Joined streams have no role, since only their first piece has one.
  if (recorded === '' || recorded === null) return 'assistant'
  const type = memberOf(value, 'type')
  if (typeof type === 'string' && messageTypes.has(type)) return toRole(type)
  const id = memberOf(value, 'id')
  return Array.isArray(id) ? toRole(className(id.at(-1))) : undefined
}

const className = (name: unknown) => (typeof name === 'string' ? messageClass.exec(name)?.[1] : undefined)

function partsOf(value: Readonly<Record<string, unknown>>, role: string): readonly MessagePart[] {
  if (role === 'tool' && !elementsOf(firstMember(value, 'parts', 'content', 'contents')).some(isToolResult)) return [toToolResult(value)]
  const thought = textAt(value, 'reasoning_content') ?? textAt(value, 'reasoning') ?? textAt(value, 'thinking')
  const content = firstMember(value, 'parts', 'contents', 'content', 'blocks', 'text')
  const refusal = textAt(value, 'refusal')
  const said = toParts(content)
  const called = [...elementsOf(value['tool_calls']), ...elementsOf(value['toolCalls']), value['function_call']].flatMap(
    (call) => toToolCall(call) ?? [],
  )
  // Some conventions list a call both among the parts and separately.
  const known = new Set(said.map((part) => (part.type === 'tool_call' ? (part.id ?? part.name) : undefined)))
  return [
    ...(thought === undefined || said.some(({ type }) => type === 'reasoning') ? [] : [{ type: 'reasoning', text: thought } as const]),
    ...said,
    ...(refusal === undefined ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...toParts(value['audio']),
    ...called.filter((call) => !known.has(call.id ?? call.name)),
  ]
}

const isToolResult = (part: unknown) => toParts(part).some(({ type }) => type === 'tool_result')

/** Tool results become messages with the role `tool`, whatever role the convention gives them. */
function splitResults(role: string, parts: readonly MessagePart[]): readonly Message[] {
  const messages: { role: string; parts: MessagePart[] }[] = []
  for (const part of parts) {
    const own = part.type === 'tool_result' ? 'tool' : role
    const last = messages.at(-1)
    if (last?.role === own) last.parts.push(part)
    else messages.push({ role: own, parts: [part] })
  }
  return messages
}

const assistantItems: ReadonlySet<string> = new Set([
  'reasoning',
  'function_call',
  'custom_tool_call',
  'mcp_call',
  'tool_call',
  'tool_use',
  'output_text',
])
const toolItems: ReadonlySet<string> = new Set([
  'function_call_output',
  'function_call_result',
  'custom_tool_call_output',
  'tool_result',
  'tool_call_response',
])

function fromItem(value: Readonly<Record<string, unknown>>): readonly Message[] {
  const type = textAt(value, 'type') ?? ''
  const role = assistantItems.has(type) ? 'assistant' : toolItems.has(type) ? 'tool' : undefined
  const parts = role === undefined ? [] : toParts(value)
  return role === undefined || parts.length === 0 ? [] : [{ role, parts }]
}
