import { stringifyJson } from '@heddle/json'
import { shorten, toTerminalText } from '../../terminal/terminal-text.ts'

const maxWidth = 48
/** Characters of a text that are looked at for one cell. */
const maxLooked = 2_000

/** A recorded value for one cell: texts as they are, all else as JSON, on one line and shortened. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : stringifyJson(value)
  return shorten(toTerminalText(text.slice(0, maxLooked)), maxWidth)
}
