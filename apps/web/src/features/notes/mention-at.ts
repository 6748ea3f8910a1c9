import { formatMention, mentionedIn } from '@heddle/core-api'

/** A partially typed mention at the cursor. */
export interface TypedMention {
  /** Index of the `@`. */
  from: number
  /** The typed part of the name; may be empty. */
  typed: string
}

/** Not behind a letter or a digit, as in an address of mail. */
const beforeCursor = /(?<![\p{L}\p{N}@[])@\[?((?:[^@[\]\s][^@[\]\n]{0,127})?)$/u

/** Undefined where no mention is being typed. */
export function mentionAt(text: string, cursor: number): TypedMention | undefined {
  const found = beforeCursor.exec(text.slice(0, cursor))
  return found === null ? undefined : { from: found.index, typed: found[1] ?? '' }
}

const maxOffers = 8

/** Names that contain the typed part, in any case: those that begin with it first. Without names that a mention cannot contain. */
export function namesFor(typed: string, members: readonly string[]): string[] {
  const wanted = typed.toLowerCase()
  const containing = members.filter((name) => name.toLowerCase().includes(wanted) && isMentionable(name))
  const begins = (name: string) => name.toLowerCase().startsWith(wanted)
  return [...containing.filter(begins), ...containing.filter((name) => !begins(name))].slice(0, maxOffers)
}

const isMentionable = (name: string) => mentionedIn(formatMention(name))[0] === name

/** The text with a mention instead of the typed part, followed by a space and the cursor. */
export function withMention(
  text: string,
  { at: { from }, cursor, name }: { at: TypedMention; cursor: number; name: string },
): { text: string; cursor: number } {
  const rest = text.slice(cursor)
  const before = text.slice(0, from) + formatMention(name)
  return { text: before + (/^\s/.test(rest) ? rest : ` ${rest}`), cursor: before.length + 1 }
}
