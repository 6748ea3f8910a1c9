/** A value as a person reads it: texts as they are, all else as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 2) ?? ''
}

/** The start of a value on one line, for a cell of a table. */
export function toCell(value: unknown, maxCharacters = 120): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const line = text.slice(0, maxCharacters * 2).replaceAll(/\s+/g, ' ')
  return line.length > maxCharacters || text.length > maxCharacters * 2 ? `${line.slice(0, maxCharacters)}…` : line
}
