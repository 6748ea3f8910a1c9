import { stringifyJson } from '@heddle/json'
import { shorten, toTerminalText } from '../terminal/terminal-text.ts'

const maxTextLength = 2_000

/** A name and its text, for reading. */
export function drawLine(name: string, text: string): string {
  return `${name.padEnd(12)}${shorten(toTerminalText(text), maxTextLength)}`
}

type Message = Record<string, unknown>

/** Messages of all histories, which have their number as `history`; a star marks those that are `trainable`. */
export function drawMessages(messages: readonly Message[]): string[] {
  return messages.flatMap((message, at) => [...between(messages[at - 1], message), drawMessage(message)])
}

/** Histories after the first begin with their number. */
function between(before: Message | undefined, { history }: Message): string[] {
  return before && before['history'] !== history ? ['', `history ${String(history)}`] : []
}

function drawMessage({ role, content, tool_calls: calls, trainable }: Message): string {
  const called = Array.isArray(calls) && calls.length > 0 ? ` ${stringifyJson(calls)}` : ''
  const text = typeof content === 'string' ? content : stringifyJson(content ?? '')
  return `${trainable === true ? '*' : ' '} ${drawLine(String(role), text + called)}`
}
