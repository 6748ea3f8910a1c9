import { isUnspokenInput, isUnspokenOutput, type Message, type RecordedCall, readTurnInput, readTurnOutput } from '@heddle/trace-model'
import { readableCell } from '../../lib/texts/readable-cell.ts'
import { toCell } from '../../lib/texts/to-text.ts'
import type { CallTexts } from './texts-below/shown-text.ts'

/** What a row shows of a call: the new part of its input, and its output, each on one line and at most 121 characters long. */
export function textsOfCall(call: RecordedCall): CallTexts {
  const [input, output] = [readTurnInput(call), readTurnOutput(call)]
  return {
    input: textOf(input, call.inputs),
    output: textOf(output, call.output),
    isSpoken: { input: !isUnspokenInput(input), output: !isUnspokenOutput(output) },
  }
}

/** The new part of a call's input, on one line. `''` without an input. */
export const inputText = (call: RecordedCall) => textOf(readTurnInput(call), call.inputs)

const textOf = (messages: readonly Message[], value: unknown) => textOfMessages(messages) || emptyAsNothing(value)

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
