/**
 * A text as a value of Ollama's Modelfile, whose quotes have no escapes: a value ends at the first line break before which it ends as it began, and characters
 * that are not printable are dropped. Null for a text that no form of quotes holds.
 */
export function toModelfileValue(text: string): string | null {
  return [`"${text}"`, `"""${text}"""`].find((value) => readValue(value) === text) ?? null
}

/** What Ollama reads from a line, or lines, of a value; null if it would end before its last line or never. */
function readValue(value: string): string | null {
  const lines = value.split(/(?<=[\r\n])/)
  let read = ''
  for (const [at, line] of lines.entries()) {
    read += line.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \t\r\n]/gu, '')
    const text = unquote(read.trim())
    if (text !== null) return at === lines.length - 1 ? text : null
  }
  return null
}

/** The text between the quotes; null before their end. */
function unquote(value: string): string | null {
  const quotes = value.startsWith('"""') ? '"""' : '"'
  return value.length >= 2 * quotes.length && value.endsWith(quotes) ? value.slice(quotes.length, -quotes.length) : null
}
