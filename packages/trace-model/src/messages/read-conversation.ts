import { callKindOf } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { memberOf, valueAt } from '@heddle/core-api/internal'
import { findMessages, instructionNames, startsWithSystem, toSystemMessage } from './find-messages.ts'
import { elementsOf, isObject, parsedValue } from './json-value.ts'
import type { Message, MessagePart } from './message.ts'

/** Input and output of a model or an agent. */
export interface Conversation {
  input: readonly Message[]
  output: readonly Message[]
}

/** The source of a conversation: a call as returned by a read. Members that were not read are absent. */
export interface RecordedCall {
  inputs?: unknown
  output?: unknown
  /** With `otel_span` for a call that was sent as a span: it may have data that is missing from its inputs. */
  attributes?: unknown
}

/** Names of span attributes that hold the messages when inputs and output, which take the first attribute found, hold none. */
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
  // A function's `input` may be anything; the input of a model or an agent consists of messages.
  const kind = callKindOf({ op_name: '', attributes: attributes as Call['attributes'] })
  const isSpoken = kind === 'model' || kind === 'agent' || namesModel(inputs) || namesModel(memberOf(inputs, 'arg0'))
  const only = onlyTextOf(inputs)
  const found = firstFound(
    [...(only ? [] : namedValues(inputs)), ...inputNames.map((name) => valueAt(span, name))],
    isSpoken ? 'user' : undefined,
  )
  const given = found.length === 0 && only && isSpoken ? [only] : found
  const input = given.length === 0 || startsWithSystem(given) ? given : [...systemOf(attributes, span), ...given]
  const answered = [...namedValues(output), ...outputNames.map((name) => valueAt(span, name))]
  const said = firstFound(answered, isSpoken || input.length > 0 ? 'assistant' : undefined)
  return withToolNames({ input, output: said.map((message) => (message.role === 'unknown' ? { ...message, role: 'assistant' } : message)) })
}

/** Inputs that are a single text, whatever the parameter is called: a user's message to a model or an agent. Undefined for any other inputs. */
function onlyTextOf(inputs: unknown): Message | undefined {
  const [only, ...others] = isObject(inputs) ? Object.entries(inputs) : []
  if (only === undefined || others.length > 0) return undefined
  const [name, text] = only
  if (typeof text !== 'string' || text === '' || isAttributeName.test(name) || isInstruction(name)) return undefined
  return parsedValue(text) === text ? { role: 'user', parts: [{ type: 'text', text }] } : undefined
}

const isInstruction = (name: string) => instructionNames.some((one) => one === name)

/** A request to a model names it. */
const namesModel = (inputs: unknown) => typeof memberOf(inputs, 'model') === 'string' && memberOf(inputs, 'input') !== undefined

/** The values to look at: inputs may be one value under the name of an attribute, and the output one under `output`. */
function namedValues(value: unknown): readonly unknown[] {
  const names = isObject(value) ? Object.keys(value) : []
  const [only] = names
  if (names.length !== 1 || only === undefined || !isAttributeName.test(only)) return [value]
  return only === userEvents ? [withRole(memberOf(value, only), 'user')] : [memberOf(value, only), value]
}

/** Attribute names have dots or colons, except for these. */
const isAttributeName = /[.:]|^(?:inputs|request_data|response_data|all_messages_events|user_prompt|final_result)$/

/** Path of users' messages that were sent as events; only the name of the event determines the role. */
const userEvents = 'events.gen_ai.user.message'

const withRole = (messages: unknown, role: string) =>
  elementsOf(messages).map((message) => (isObject(message) ? { role, ...message } : message))

/** Values recorded as messages take precedence over plain texts, which may be how a program prints its messages. */
function firstFound(values: readonly unknown[], speaker: 'user' | 'assistant' | undefined): readonly Message[] {
  for (const asSpeaker of speaker === undefined ? [undefined] : [undefined, speaker]) {
    const found = values.map((value) => findMessages(value, asSpeaker)).find((messages) => messages.length > 0)
    if (found) return found
  }
  return []
}

/** Instructions that a span stores separately from its messages. A text there may be the name of a provider. */
function systemOf(attributes: unknown, span: unknown): readonly Message[] {
  const instructions = valueAt(span, 'gen_ai.system_instructions') ?? memberOf(attributes, 'system')
  if (elementsOf(instructions).length > 0) return toSystemMessage(instructions)
  const named = inputNames.map((name) => findMessages(valueAt(span, name))).find(startsWithSystem) ?? []
  return named.slice(
    0,
    named.findIndex(({ role }) => role !== 'system'),
  )
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
