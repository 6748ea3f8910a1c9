const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

/**
 * Quotes a string literal of the SQL dialect: values become part of a statement only here.
 * @throws RangeError for a NUL character, which would truncate the statement on its way to the engine.
 */
export function quoteText(value: string): string {
  if (value.includes('\0')) throw new RangeError('a string with a NUL character (U+0000) cannot be a parameter; remove the character')
  return `'${value.replace(/[\\'\n\r\t\b\f]/g, (character) => escapes[character] ?? character)}'`
}
