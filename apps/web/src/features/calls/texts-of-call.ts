import { type Message, type RecordedCall, readTurnInput, readTurnOutput } from '@heddle/trace-model'
import { readableCell } from '../../lib/texts/readable-cell.ts'
import { toCell } from '../../lib/texts/to-text.ts'

/** What a row shows of a call: the new part of its input, and its output, each on one line and at most 121 characters long. */
export const textsOfCall = (call: RecordedCall) => ({ input: inputText(call), output: outputText(call) })

/** The new part of a call's input, on one line. `''` without a call or an input. */
export const inputText = (call: RecordedCall | undefined) => textOf(call, readTurnInput, 'inputs')

/** The output of a call, on one line. `''` without a call or an output. */
export const outputText = (call: RecordedCall | undefined) => textOf(call, readTurnOutput, 'output')

function textOf(call: RecordedCall | undefined, read: (call: RecordedCall) => readonly Message[], member: 'inputs' | 'output'): string {
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
