import type { ThreadTurn } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'
import { isObject, parsedValue } from './json-value.ts'
import type { Message, MessagePart } from './message.ts'
import { isPrintedObject } from './printed-object.ts'
import { readConversation, type RecordedCall } from './read-conversation.ts'

/**
 * The new part of the input of a call that is a turn of a conversation: its last message that is not from the system, since earlier messages are
 * turns themselves. If that is an answer, the message before it. Any other inputs are one message of the role `input`. Empty if the call has no
 * inputs, or empty ones.
 */
export function readTurnInput(call: RecordedCall): readonly Message[] {
  const said = readConversation(call).input.filter(({ role }) => role !== 'system')
  const last = said.at(-1)
  const question = last?.role === 'assistant' ? (said.findLast(({ role }) => role === 'user') ?? last) : last
  return question ? [question] : asMessage('input', onlyTextOf(call.inputs) ?? call.inputs)
}

/** The output of a turn, in the same way; any other value is one message of the role `output`. Empty if there is no output. */
export function readTurnOutput(call: RecordedCall): readonly Message[] {
  const { input, output } = readConversation(call)
  if (output.length > 0) return output
  const value = asMessage('output', call.output)
  const last = input.at(-1)
  return value.length === 0 && last?.role === 'assistant' && holdsAnswers(call.inputs) ? [last] : value
}

/**
 * Whether the input of a turn holds nothing that a user may have said: only values without text, such as the state of an agent, or a serialized
 * object of a program. The first request to a model below it says more.
 */
export const isUnspokenInput = (messages: readonly Message[]) =>
  messages.every(({ role, parts }) => role === 'input' && !parts.some(maySay))

/** Whether the output of a turn is a serialized object of a program. The last answer of a model below it says more. */
export const isUnspokenOutput = (messages: readonly Message[]) =>
  messages.every(({ role, parts }) => role === 'output' && parts.every((part) => part.type === 'text' && isPrintedObject(part.text)))

function maySay(part: MessagePart): boolean {
  const value = part.type === 'other' ? part.value : part.type === 'text' ? parsedValue(part.text) : undefined
  return argumentsOf(value).some((argument) => typeof argument === 'string' && argument !== '' && !isPrintedObject(argument))
}

/** The arguments of a function: the members of its inputs and of its lists of arguments, even if recorded as one attribute. */
function argumentsOf(value: unknown): readonly unknown[] {
  if (!isObject(value)) return [value]
  const members = Object.entries(value)
  const [only, ...others] = members
  if (only !== undefined && others.length === 0 && isAttribute.test(only[0])) return argumentsOf(parsedValue(only[1]))
  return members.flatMap(([name, member]) => (isArgumentList(name, member) ? Object.values(member) : [member]))
}

const isArgumentList = (name: string, member: unknown): member is object =>
  typeof member === 'object' && member !== null && (name === 'args' || name === 'kwargs')

/** Agents of pydantic-ai record the whole run as its input, including the answer at its end. */
const holdsAnswers = (inputs: unknown) =>
  ['pydantic_ai.all_messages', 'all_messages_events'].some((name) => memberOf(inputs, name) !== undefined)

/** The messages of a turn as returned by the API: the contract leaves the members of parts open. */
export function messagesOfTurn(messages: ThreadTurn['input']): readonly Message[] {
  return messages as unknown as Message[]
}

function asMessage(role: string, value: unknown): readonly Message[] {
  if (isNothing(value)) return []
  return [{ role, parts: [toPart(value)] }]
}

/** Containers nested more deeply are not searched. */
const maxDepth = 4

/** Whether a value is empty: calls without arguments are recorded as empty lists, and missing results as the JSON text `null`. */
function isNothing(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || value === '') return true
  if (depth > maxDepth) return false
  if (Array.isArray(value)) return value.every((member) => isNothing(member, depth + 1))
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, member]) => isNothing(member, depth + 1) || (member === 'null' && isAttribute.test(name)))
}

/** Values of attributes may be JSON text. */
const isAttribute = /[.:]/

/** The text of inputs that hold one, and else nothing but flags. Undefined for any other inputs. */
function onlyTextOf(inputs: unknown): string | undefined {
  const [only, ...others] = argumentsOf(inputs).filter((member) => typeof member !== 'boolean' && !isNothing(member))
  return typeof only === 'string' && others.length === 0 ? only : undefined
}

/** A value that holds one text is that text, without its name. */
function toPart(value: unknown): MessagePart {
  const [only, ...others] = isObject(value) ? Object.values(value) : [value]
  return typeof only === 'string' && others.length === 0 ? { type: 'text', text: only } : { type: 'other', value }
}
