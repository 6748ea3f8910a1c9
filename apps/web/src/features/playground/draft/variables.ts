import type { DraftMessage } from './draft-message.ts'

const written = /\{\{\s*([A-Za-z_][\w.-]{0,63})\s*\}\}/g
/** A longer list would be too much to fill in. */
const maxVariables = 20

export type Variables = Readonly<Record<string, string>>

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

const ofPrompt = /\{\{|\}\}|\{([A-Za-z_][\w.-]{0,63})\}/g

/** Reverses `toPromptText`. A text without variables is unchanged. */
export function fromPromptText(text: string): string {
  const names = [...text.matchAll(ofPrompt)].filter(([, name]) => name !== undefined)
  if (names.length === 0) return text
  return text.replaceAll(ofPrompt, (found: string, name: string | undefined) => (name === undefined ? found.slice(1) : `{{${name}}}`))
}
