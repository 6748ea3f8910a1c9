import { memberOf } from '@heddle/core-api/internal'
import { piecesOfPrompt } from '../../features/playground/draft/variables.ts'
import { toText } from '../../lib/texts/to-text.ts'

/** A message of a prompt, as it is shown. */
export interface PromptMessage {
  role: string
  /** Text; JSON where the content is not text. */
  text: string
}

/** The messages of a prompt, or its one text. Undefined for another object. */
export function messagesOfPrompt(val: unknown): PromptMessage[] | undefined {
  const content = memberOf(val, 'content')
  if (typeof content === 'string') return [{ role: 'prompt', text: content }]
  const messages = memberOf(val, 'messages')
  if (!Array.isArray(messages) || messages.length === 0) return undefined
  return messages.map((message: unknown) => {
    const role = memberOf(message, 'role')
    const content = memberOf(message, 'content')
    // A message with other members, such as calls of tools, is shown whole.
    const isPlain = typeof role === 'string' && Object.keys(Object(message)).length === 2
    return {
      role: typeof role === 'string' ? role : 'message',
      text: isPlain && typeof content === 'string' ? content : toText(isPlain ? content : message),
    }
  })
}

/** The names of the variables of a prompt, each once. */
export const variablesOf = (messages: readonly PromptMessage[]): string[] => [
  ...new Set(
    messages.flatMap(({ text }) =>
      piecesOfPrompt(text).flatMap((piece) => (piece.isVariable ? [piece.text.replaceAll(/[{}\s]/g, '')] : [])),
    ),
  ),
]
