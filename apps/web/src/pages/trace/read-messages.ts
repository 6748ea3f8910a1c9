/** A message of a conversation with a model. */
export interface Message {
  role: string
  text: string
}

const listNames = ['messages', 'input', 'gen_ai.input.messages', 'gen_ai.output.messages', 'output']

/** The messages that a model saw and gave, from the usual shapes of its inputs and output. Empty where there are none. */
export function readMessages(inputs: unknown, output: unknown): Message[] {
  return [...messagesIn(inputs), ...messagesIn(output)]
}

function messagesIn(value: unknown): Message[] {
  if (Array.isArray(value)) return value.flatMap(toMessages)
  if (typeof value !== 'object' || value === null) return []
  const { choices } = value as { choices?: unknown }
  if (Array.isArray(choices)) return choices.flatMap((choice: unknown) => toMessages(memberOf(choice, 'message')))
  const lists = listNames.map((name) => memberOf(value, name)).filter((list) => Array.isArray(list))
  return lists.length > 0 ? lists.flatMap((list: unknown[]) => list.flatMap(toMessages)) : toMessages(value)
}

function toMessages(value: unknown): Message[] {
  const role = memberOf(value, 'role')
  if (typeof role !== 'string') return []
  const parts = [
    contentText(memberOf(value, 'content')),
    contentText(memberOf(value, 'parts')),
    toolCallsText(memberOf(value, 'tool_calls')),
  ]
  return [{ role, text: parts.filter((part) => part !== '').join('\n') }]
}

function contentText(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content)
  return content.map(partText).join('\n')
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const text = memberOf(part, 'text') ?? memberOf(part, 'content')
  return typeof text === 'string' ? text : JSON.stringify(part)
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

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
