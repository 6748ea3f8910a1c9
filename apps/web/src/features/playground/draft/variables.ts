import type { DraftMessage } from './draft-message.ts'

/** A variable of a prompt; the first two alternatives are braces of the text. */
const ofPrompt = /\{\{|\}\}|\{([A-Za-z_][\w.-]{0,63})\}/g
const written = /\{\{\s*([A-Za-z_][\w.-]{0,63})\s*\}\}/g
/** A longer list would be too much to fill in. */
const maxVariables = 20

export type Variables = Readonly<Record<string, string>>

/** A part of a text: a variable as it is written, or what is between variables. */
export interface TextPiece {
  text: string
  isVariable: boolean
}

/** A text in pieces; a match without a name is text. */
function piecesBy(pattern: RegExp, text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let last = 0
  for (const found of text.matchAll(pattern)) {
    if (found[1] === undefined) continue
    pieces.push({ text: text.slice(last, found.index), isVariable: false }, { text: found[0], isVariable: true })
    last = found.index + found[0].length
  }
  return [...pieces, { text: text.slice(last), isVariable: false }].filter((piece) => piece.text !== '')
}

/** The pieces of a message as the playground writes it, with `{{name}}` for a variable. */
export const piecesOfDraft = (text: string): TextPiece[] => piecesBy(written, text)

/** The pieces of a stored prompt, with `{name}` for a variable. Without any, those of `{{name}}`, which other products write. */
export function piecesOfPrompt(text: string): TextPiece[] {
  const pieces = piecesBy(ofPrompt, text)
  return pieces.some(({ isVariable }) => isVariable) ? pieces : piecesOfDraft(text)
}

/** The names of the variables in messages, written as `{{name}}`, in the order in which they are first seen. */
export function variablesIn(messages: readonly DraftMessage[]): string[] {
  const names = messages.flatMap(({ content, isParts }) => (isParts ? [] : [...content.matchAll(written)].map(([, name = '']) => name)))
  return [...new Set(names)].slice(0, maxVariables)
}

/** A text with the values of its variables. A variable without a value is kept as written. */
export const fillVariables = (text: string, values: Variables): string =>
  text.replaceAll(written, (whole, name: string) => (Object.hasOwn(values, name) && values[name] !== '' ? (values[name] ?? whole) : whole))

/**
 * A text in the format of prompts, which programs fill as Python does: `{name}` for a variable, and literal braces doubled. A text without variables
 * is unchanged.
 */
export function toPromptText(text: string): string {
  const parts = text.split(written)
  if (parts.length === 1) return text
  return parts.map((part, at) => (at % 2 === 1 ? `{${part}}` : part.replaceAll(/[{}]/g, '$&$&'))).join('')
}

/** Reverses `toPromptText`. A text without variables is unchanged. */
export function fromPromptText(text: string): string {
  const names = [...text.matchAll(ofPrompt)].filter(([, name]) => name !== undefined)
  if (names.length === 0) return text
  return text.replaceAll(ofPrompt, (found: string, name: string | undefined) => (name === undefined ? found.slice(1) : `{{${name}}}`))
}
