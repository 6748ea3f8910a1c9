import type { Call } from '@heddle/core-api/types'
import { type Message, readTurnInput, readTurnOutput } from '@heddle/trace-model'
import { readableCell } from '../../lib/texts/readable-cell.ts'
import { toCell } from '../../lib/texts/to-text.ts'

/** What a row shows of a call: the new part of its input, and its output, each on one line and at most 121 characters long. */
export const textsOfCall = (call: Call) => ({ input: inputText(call), output: outputText(call) })

/** The new part of a call's input, on one line. `''` without a call or an input. */
export const inputText = (call: Call | undefined) => textOf(call, readTurnInput, 'inputs')

/** The output of a call, on one line. `''` without a call or an output. */
export const outputText = (call: Call | undefined) => textOf(call, readTurnOutput, 'output')

function textOf(call: Call | undefined, read: (call: Call) => readonly Message[], member: 'inputs' | 'output'): string {
  if (call === undefined) return ''
  return textOfMessages(read(call)) || emptyAsNothing(call[member])
}

const emptyAsNothing = (value: unknown) => {
  const text = readableCell(value ?? '')
  return text === '{}' ? '' : text
}

/** The texts of messages on one line; tools by their names. */
export function textOfMessages(messages: readonly Message[]): string {
  const parts = messages.flatMap(({ parts: some }) =>
    some.map((part) => {
      if (part.type === 'text' || part.type === 'refusal') return part.text
      return part.type === 'tool_call' ? `${part.name}(…)` : ''
    }),
  )
  return toCell(parts.filter((part) => part.trim() !== '').join(' '))
}
