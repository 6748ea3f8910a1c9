/** A part of the text of a note. */
export interface NotePart {
  /** As written in the note; the parts together are the whole text. */
  text: string
  /** The user who is mentioned; undefined where the part is plain text. */
  mention?: string
}

/** Names of users have up to 128 characters, without control characters. `[`, `]` and `\` in a name are escaped by a `\`. */
const mention = /@\[((?:[^[\]\\\p{Cc}]|\\[[\]\\]){1,128})\]/gu

/**
 * How a user is mentioned in the text of a note: `@[Ada Lovelace]`. A text contains this exactly where `readNote` finds the mention, so that
 * `$contains` on `payload.note` finds the notes that mention a user, and none that mentions a longer name.
 * @example
 * formatMention('Ada Lovelace') // '@[Ada Lovelace]'
 */
export const formatMention = (name: string): string => `@[${name.replaceAll(/[[\]\\]/g, String.raw`\$&`)}]`

/**
 * Splits the text of a note into plain text and mentions.
 * @example
 * readNote('ask @[ada]') // [{ text: 'ask ' }, { text: '@[ada]', mention: 'ada' }]
 */
export function readNote(text: string): NotePart[] {
  const parts: NotePart[] = []
  let from = 0
  for (const found of text.matchAll(mention)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index) })
    parts.push({ text: found[0], mention: (found[1] ?? '').replaceAll(/\\(.)/gu, '$1') })
    from = found.index + found[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/** The users that a note mentions, each once, in the order of the text. */
export const mentionedIn = (note: string): string[] => [...new Set(readNote(note).flatMap(({ mention: name }) => name ?? []))]
