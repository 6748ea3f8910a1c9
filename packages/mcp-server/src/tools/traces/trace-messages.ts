import { valueAt } from '../pick-paths.ts'
import type { TracedCall } from './traced-call.ts'

/** A message of a conversation, and the call in which it first stands. */
export interface TracedMessage {
  call_id: string
  role: string
  content: unknown
}

const messagePaths = ['messages', 'input.messages', 'kwargs.messages', 'gen_ai.input.messages', 'input']
const answerPaths = ['choices', 'messages', 'gen_ai.output.messages', 'content', 'output']

/** The messages of the model calls of a trace in order; those that a later call repeats stand once. */
export function messagesOf(calls: readonly TracedCall[]): TracedMessage[] {
  const seen = new Set<string>()
  return calls.flatMap((call) => {
    const messages = [...listAt(call.inputs, messagePaths), ...listAt(call.output, answerPaths)]
    return messages.flatMap((item): TracedMessage[] => {
      const message = toMessage(item)
      const key = JSON.stringify(message)
      if (message === undefined || seen.has(key)) return []
      seen.add(key)
      return [{ call_id: call.id, ...message }]
    })
  })
}

function listAt(value: unknown, paths: readonly string[]): unknown[] {
  for (const path of paths) {
    const found = valueAt(value, path) ?? (typeof value === 'object' && value !== null ? (Reflect.get(value, path) as unknown) : undefined)
    if (Array.isArray(found) && found.some((item) => toMessage(item) !== undefined)) return found
  }
  const single = toMessage(value)
  return single ? [value] : []
}

/** A chat message, also inside of a choice. */
function toMessage(item: unknown): Omit<TracedMessage, 'call_id'> | undefined {
  const message = valueAt(item, 'message') ?? item
  const role = valueAt(message, 'role')
  if (typeof role !== 'string') return undefined
  const content = valueAt(message, 'content') ?? valueAt(message, 'parts') ?? null
  const tools = valueAt(message, 'tool_calls')
  return { role, content: Array.isArray(tools) && tools.length > 0 ? { content, tool_calls: tools } : content }
}
