import type { Call } from '@heddle/core-api/types'
import { isJsonNumber, pathBelow, valueAt } from '@heddle/core-api/internal'
import { readConversation, toChatMessages } from '@heddle/trace-model'

/** Maps a field of a call to a column of a dataset. A column without a name is omitted. */
export interface DatasetColumn {
  path: string
  name: string
}

/** Without attributes, messages that a span keeps there are not found. */
type Payloads = Pick<Call, 'inputs' | 'output'> & Partial<Pick<Call, 'attributes'>>

/** A longer list of fields would be unreadable. */
export const maxColumns = 100

/**
 * The fields of some calls, with their usual columns: one for each input, and one for the output. An input with the name `output` keeps it, prefixed
 * by its origin; the parts of an output that is an object have no separate columns. If calls are conversations, in any convention, their messages in
 * the form of chat completions become `messages`, unless an input has that name.
 */
export function columnsOfCalls(calls: readonly Payloads[]): DatasetColumn[] {
  const inputs = [...new Set(calls.flatMap((call) => namesIn(call.inputs)))]
  const parts = [...new Set(calls.flatMap((call) => namesIn(call.output)))]
  const hasMessages = calls.some((call) => conversationOf(call).messages.length > 0)
  return [
    ...(hasMessages ? [{ path: conversationPaths.messages, name: inputs.includes('messages') ? '' : 'messages' }] : []),
    ...(hasMessages ? [{ path: conversationPaths.answer, name: '' }] : []),
    ...inputs.map((name) => ({ path: pathBelow('inputs', name), name: name === 'output' ? 'inputs.output' : name })),
    { path: 'output', name: 'output' },
    ...parts.map((name) => ({ path: pathBelow('output', name), name: '' })),
  ]
}

/** Paths of a call's conversation, in addition to its fields. */
const conversationPaths = { messages: 'conversation.messages', answer: 'conversation.answer' } as const

function conversationOf(call: Payloads) {
  const { input, output } = readConversation(call)
  return { messages: toChatMessages(input), answer: toChatMessages(output) }
}

function fieldOf(call: Payloads, path: string): unknown {
  if (path === conversationPaths.messages) return conversationOf(call).messages
  return path === conversationPaths.answer ? conversationOf(call).answer : valueAt(call, path)
}

const namesIn = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value) ? Object.keys(value) : []

/** The name that two columns would share; undefined if all are unique. */
export function repeatedName(columns: readonly DatasetColumn[]): string | undefined {
  const names = columns.map(({ name }) => name.trim()).filter((name) => name !== '')
  return names.find((name, at) => names.indexOf(name) !== at)
}

/** A call as a row of a dataset. Fields that the call lacks are omitted. */
export function rowOfCall(call: Payloads, columns: readonly DatasetColumn[]): Record<string, unknown> {
  const cells = columns
    .map(({ path, name }) => [name.trim(), fieldOf(call, path)] as const)
    .filter(([name, value]) => name !== '' && value !== undefined)
  return Object.fromEntries(cells)
}
