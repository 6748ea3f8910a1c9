import { isJsonNumber } from '@heddle/core-api/internal'
import { elementsOf, firstMember, isObject, listOf, parsedValue, textAt } from './json-value.ts'
import type { Message } from './message.ts'
import { isPrintedObject } from './printed-object.ts'
import { toMessages } from './to-messages.ts'
import { toParts } from './to-parts.ts'

/** Depth of the search: conventions wrap messages a few times, while user data may be nested arbitrarily deep. */
const maxDepth = 6

/** Members that hold instructions to the model, which precede the messages. */
export const instructionNames = ['instructions', 'system', 'systemInstruction', 'system_instruction', 'system_instructions'] as const
/** Members that hold messages, or objects that do; the first one that has any counts. */
const holderNames = [
  'messages',
  'chat_history',
  'contents',
  'input',
  'prompt',
  'prompts',
  'choices',
  'candidates',
  'generations',
  'output',
  'message',
  'kwargs',
  'request',
  'response',
  'content',
  // One client's name for the first argument of a function.
  'arg0',
] as const

/** Role of a plain text: undefined if such a text may be anything. */
type Speaker = 'user' | 'assistant' | undefined

/**
 * The messages in the inputs or the output of a call, from the shapes of providers' requests and answers and of the libraries around them. Empty if
 * there are none. A text alone, also below one of the known members, is a message of `speaker` when that is given.
 */
export function findMessages(recorded: unknown, speaker?: Speaker, depth = 0): readonly Message[] {
  const value = parsedValue(recorded)
  if (typeof value === 'string') return fromText(value, speaker)
  if (typeof value !== 'object' || value === null || isJsonNumber(value) || depth > maxDepth) return []
  const list = listOf(value)
  if (list) return fromList(list, speaker, depth)
  const own = isHolder(value) ? [] : toMessages(value)
  return own.length > 0 ? own : fromHolder(value as Readonly<Record<string, unknown>>, speaker, depth)
}

/** A list of messages, of texts, of choices, or of lists of them. A batch of conversations counts as its first one. */
function fromList(list: readonly unknown[], speaker: Speaker, depth: number): readonly Message[] {
  if (list.length > 0 && list.every((element) => Array.isArray(element))) return findMessages(list[0], speaker, depth + 1)
  return list.flatMap((element) => findMessages(element, speaker, depth + 1))
}

function fromHolder(value: Readonly<Record<string, unknown>>, speaker: Speaker, depth: number): readonly Message[] {
  const instructions = instructionsOf(value)
  for (const name of holderNames) {
    const held = value[name]
    if (held === undefined || held === null) continue
    const found = findMessages(held, speaker, depth + 1)
    if (found.length > 0) return startsWithSystem(found) ? found : [...instructions, ...found]
  }
  return answerOf(value)
}

const isHolder = (value: object) =>
  typeof Reflect.get(value, 'role') !== 'string' &&
  ['messages', 'choices', 'candidates', 'contents'].some((name) => Array.isArray(Reflect.get(value, name)))

/** Instructions to the model as a system message; none if there are no instructions. */
export function instructionsOf(value: unknown): readonly Message[] {
  const config = firstMember(value, 'config')
  const given = firstMember(value, ...instructionNames) ?? (isObject(config) ? firstMember(config, ...instructionNames) : undefined)
  return toSystemMessage(given)
}

/** A system message of a text, of parts, or of an object with parts. */
export function toSystemMessage(given: unknown): readonly Message[] {
  const read = parsedValue(given)
  const parts = toParts(isObject(read) ? (firstMember(read, 'parts', 'content') ?? read) : read)
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

export const startsWithSystem = (messages: readonly Message[]) => messages[0]?.role === 'system'

/** A model's answer as one library records it: an object with its text and its calls. */
function answerOf(value: Readonly<Record<string, unknown>>): readonly Message[] {
  const { function_call: call } = value
  const calls = isObject(call) ? [call] : elementsOf(firstMember(value, 'toolCalls', 'tool_calls'))
  const text = textAt(value, 'text') ?? textAt(value, 'output_text')
  const thought = textAt(value, 'reasoning') ?? textAt(value, 'reasoningText')
  if (calls.length === 0 && text === undefined) return []
  return toMessages({ role: 'assistant', content: text, reasoning: thought, tool_calls: calls })
}

function fromText(text: string, speaker: Speaker): readonly Message[] {
  return speaker === undefined || text === '' || isPrintedObject(text) ? [] : [{ role: speaker, parts: [{ type: 'text', text }] }]
}
