/** The end of a text, where tracebacks and logs have the error. */
export function lastWords(text: string, maxCharacters = 500): string {
  const trimmed = text.trim()
  return trimmed.length > maxCharacters ? `…${trimmed.slice(-maxCharacters)}` : trimmed
}
