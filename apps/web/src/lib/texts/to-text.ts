import { printJson, stringifyJson } from '@heddle/json/exact'

/** A value as text: texts unchanged, all others as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : printJson(value)
}

/** The characters of a cell. */
const cellCharacters = 120
/** What follows so many characters of a text does not change its cell. */
export const charactersForCell = cellCharacters * 2

/** The start of a value on one line, for a cell of a table. */
export function toCell(value: unknown, maxCharacters = cellCharacters): string {
  const text = typeof value === 'string' ? value : jsonText(value)
  const line = text.slice(0, maxCharacters * 2).replaceAll(/\s+/g, ' ')
  return line.length > maxCharacters || text.length > maxCharacters * 2 ? `${line.slice(0, maxCharacters)}…` : line
}

/** A value as JSON on one line, with numbers as they were sent. `''` for undefined. */
export const jsonText = (value: unknown): string => (value === undefined ? '' : stringifyJson(value))
