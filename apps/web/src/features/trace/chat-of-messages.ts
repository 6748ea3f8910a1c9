import { memberOf } from '@heddle/core-api/internal'
import { isJsonNumber, parseExactJson } from '@heddle/json/exact'
import type { Message, MessagePart, ToolResultPart } from '@heddle/trace-model'

/** A part of a message with its index; a tool call includes its result. */
export interface ShownPart {
  part: MessagePart
  /** Among the parts of its message, from 0. */
  place: number
  answer?: ToolResultPart
}

export interface ShownMessage {
  message: Message
  /** Among the messages, from 0. */
  place: number
  parts: readonly ShownPart[]
}

/**
 * Messages with each tool result at its call. Messages that contained only such results are omitted; a result without its call is shown in its
 * original position.
 */
export function chatOf(messages: readonly Message[]): ShownMessage[] {
  const open: ShownPart[] = []
  const shown: ShownMessage[] = []
  for (const [place, message] of messages.entries()) {
    const parts: ShownPart[] = []
    for (const [at, part] of message.parts.entries()) {
      const called = part.type === 'tool_result' ? takeCall(open, part) : undefined
      if (called !== undefined && part.type === 'tool_result') {
        called.answer = part
        continue
      }
      const one: ShownPart = { part, place: at }
      if (part.type === 'tool_call') open.push(one)
      parts.push(one)
    }
    if (parts.length > 0 || message.parts.length === 0) shown.push({ message, place, parts })
  }
  return shown
}

/** The first open call that a result is of: by its id, else by the name of its tool. */
function takeCall(open: ShownPart[], { id, name }: ToolResultPart): ShownPart | undefined {
  const at = open.findIndex(({ part }) => {
    if (part.type !== 'tool_call') return false
    return id !== undefined && part.id !== undefined ? part.id === id : name !== undefined && part.name === name
  })
  return at < 0 ? undefined : open.splice(at, 1)[0]
}

/** Longer texts remain texts: parsing them as JSON would block the page. */
const maxJsonCharacters = 500_000

/** A value that was kept as a text of JSON, as the object or list that it is; anything else as it is. */
export function structured(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > maxJsonCharacters || !/^\s*[[{]/.test(value)) return value
  try {
    return parseExactJson(value)
  } catch {
    return value
  }
}

/** Why a tool failed, if its result contains an error; undefined otherwise. */
export function failureOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null || isJsonNumber(result)) return undefined
  const error = memberOf(result, 'error')
  if (typeof error === 'string' && error !== '') return error
  const message = memberOf(error, 'message')
  if (typeof message === 'string' && message !== '') return message
  const isFailed = memberOf(result, 'is_error') === true || memberOf(result, 'isError') === true
  const content = memberOf(result, 'content')
  return isFailed && typeof content === 'string' && content !== '' ? content : undefined
}
