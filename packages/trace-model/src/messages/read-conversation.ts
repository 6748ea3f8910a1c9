import { type Call, callKindOf } from '@heddle/core-api'
import { memberOf, valueAt } from '@heddle/core-api/internal'
import { findMessages, startsWithSystem, toSystemMessage } from './find-messages.ts'
import { elementsOf, isObject } from './json-value.ts'
import type { Message, MessagePart } from './message.ts'

/** What a model or an agent was given and what it answered. */
export interface Conversation {
  input: readonly Message[]
  output: readonly Message[]
}

/** What a conversation is read from: a call as a read returns it. Members that were not read are absent. */
export interface RecordedCall {
  inputs?: unknown
  output?: unknown
  /** With `otel_span` for a call that came as a span: what its inputs do not hold may be there. */
  attributes?: unknown
}

/** Names of span attributes that hold messages where inputs and output, which take the first name that is there, hold none. */
const inputNames = [
  'gen_ai.input.messages',
  'llm.input_messages',
  'gen_ai.prompt',
  'ai.prompt.messages',
  'llm.messages',
  'agent.messages',
] as const
const outputNames = ['gen_ai.output.messages', 'llm.output_messages', 'gen_ai.completion', 'ai.response'] as const

/**
 * The conversation of a call, in one form for every convention that is recorded. Both sides are empty for a call that is none.
 * Results of tools get the names of their tools from the calls before them.
 */
export function readConversation({ inputs, output, attributes }: RecordedCall): Conversation {
  const span = memberOf(memberOf(attributes, 'otel_span'), 'attributes')
  // What a function calls its input may be anything; the input of a model or an agent is what it is told.
  const isSpoken = ['model', 'agent'].includes(callKindOf({ op_name: '', attributes: attributes as Call['attributes'] }))
  const given = firstFound([...namedValues(inputs), ...inputNames.map((name) => valueAt(span, name))], isSpoken ? 'user' : undefined)
  const input = given.length === 0 || startsWithSystem(given) ? given : [...systemOf(attributes, span), ...given]
  const answered = [...namedValues(output), ...outputNames.map((name) => valueAt(span, name))]
  return withToolNames({ input, output: firstFound(answered, isSpoken || input.length > 0 ? 'assistant' : undefined) })
}

/** The values to look at: inputs may be one value under the name of an attribute, and the output one under `output`. */
function namedValues(value: unknown): readonly unknown[] {
  const names = isObject(value) ? Object.keys(value) : []
  const [only] = names
  return names.length === 1 && only !== undefined && /[.:]/.test(only) ? [memberOf(value, only), value] : [value]
}

/** What is recorded as messages anywhere comes before texts alone, which may be how a program prints its messages. */
function firstFound(values: readonly unknown[], speaker: 'user' | 'assistant' | undefined): readonly Message[] {
  for (const asSpeaker of speaker === undefined ? [undefined] : [undefined, speaker]) {
    const found = values.map((value) => findMessages(value, asSpeaker)).find((messages) => messages.length > 0)
    if (found) return found
  }
  return []
}

/** Instructions that a span keeps beside its messages. A text there may be the name of a provider. */
function systemOf(attributes: unknown, span: unknown): readonly Message[] {
  const instructions = valueAt(span, 'gen_ai.system_instructions') ?? memberOf(attributes, 'system')
  return elementsOf(instructions).length > 0 ? toSystemMessage(instructions) : []
}

function withToolNames({ input, output }: Conversation): Conversation {
  const names = new Map<string, string>()
  const named = (messages: readonly Message[]) =>
    messages.map((message) => ({ ...message, parts: message.parts.map((part) => withName(part, names)) }))
  return { input: named(input), output: named(output) }
}

/** @param names of the tools that were called so far by the ids of the calls, to which it adds */
function withName(part: MessagePart, names: Map<string, string>): MessagePart {
  if (part.type === 'tool_call' && part.id !== undefined) names.set(part.id, part.name)
  if (part.type !== 'tool_result' || part.name !== undefined) return part
  const name = names.get(part.id ?? '')
  return name === undefined ? part : { ...part, name }
}
