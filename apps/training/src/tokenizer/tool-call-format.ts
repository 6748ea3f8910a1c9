import type { ToolCallFormat } from '../engine/engine.ts'
import type { RenderConversation, TemplateMessage } from './conversation.ts'

/** How a chat template writes calls. */
export interface TemplateCalls extends ToolCallFormat {
  /** Texts that begin and end what stands around the JSON of a call, such as `<tool_call>` and `</tool_call>`; empty when the JSON stands alone. */
  open: string
  close: string
  /** True when the template writes arguments that are text as they are; else it expects them as an object. */
  takesText: boolean
}

const names = ['probe_first', 'probe_second'] as const
const argumentsText = '{"probe_key":1}'
const writtenArguments = /\{"probe_key":\s*1\}/

/**
 * Finds out how a template writes calls by rendering two of them. Null when it writes none, or in no form of one JSON object a call.
 */
export function findToolCallFormat(render: RenderConversation): TemplateCalls | null {
  return probe(render, true) ?? probe(render, false)
}

function probe(render: RenderConversation, takesText: boolean): TemplateCalls | null {
  const calls = names.map((name, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: takesText ? argumentsText : (JSON.parse(argumentsText) as unknown) },
  }))
  const tools = names.map((name) => ({
    type: 'function',
    function: { name, description: '', parameters: { type: 'object', properties: {} } },
  }))
  const user: TemplateMessage = { role: 'user', content: 'hi' }
  try {
    const before = render({ messages: [user], tools, addGenerationPrompt: true })
    const all = render({ messages: [user, { role: 'assistant', content: '', tool_calls: calls }], tools })
    return all.startsWith(before) ? readFormat(all.slice(before.length), takesText) : null
  } catch {
    return null
  }
}

function readFormat(text: string, takesText: boolean): TemplateCalls | null {
  const [first, second] = names.map((name) => readCall(text, name))
  if (!first || !second || second.nameStart < first.argumentsEnd) return null
  const begin = text.slice(0, first.nameStart)
  const between = text.slice(first.argumentsEnd, second.nameStart)
  if (!between.endsWith(begin)) return null
  const endAndSeparator = between.slice(0, between.length - begin.length)
  const end = commonStart(endAndSeparator, text.slice(second.argumentsEnd))
  const brace = begin.indexOf('{')
  if (brace < 0 || !end.includes('}')) return null
  return {
    begin,
    middle: text.slice(first.nameEnd, first.argumentsStart),
    end,
    separator: endAndSeparator.slice(end.length),
    open: begin.slice(0, brace).trim(),
    close: end.slice(end.lastIndexOf('}') + 1).trim(),
    takesText,
  }
}

function readCall(text: string, name: string) {
  const nameStart = text.indexOf(name)
  if (nameStart < 0) return null
  const nameEnd = nameStart + name.length
  const found = writtenArguments.exec(text.slice(nameEnd))
  if (found === null) return null
  const argumentsStart = nameEnd + found.index
  return { nameStart, nameEnd, argumentsStart, argumentsEnd: argumentsStart + found[0].length }
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

/** The messages with the arguments of calls as objects, for a template that does not take text. Text that is not JSON stays as it is. */
export function withArgumentObjects(messages: readonly TemplateMessage[]): TemplateMessage[] {
  return messages.map((message) => {
    const calls = message['tool_calls']
    return Array.isArray(calls) ? { ...message, tool_calls: calls.map(withArgumentObject) } : message
  })
}

function withArgumentObject(call: unknown): unknown {
  const { function: called } = (call ?? {}) as { function?: { arguments?: unknown } }
  if (typeof called?.arguments !== 'string') return call
  try {
    return { ...(call as object), function: { ...called, arguments: JSON.parse(called.arguments) as unknown } }
  } catch {
    return call
  }
}
