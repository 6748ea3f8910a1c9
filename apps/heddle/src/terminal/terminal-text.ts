const oscSequence = /(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?/g
const stringSequence = /(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)?/g
const controlSequence = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?/g
const shortSequence = /\x1b[ -/]*[0-~]?/g
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/**
 * Recorded text made safe for a terminal, on one line: escape sequences are removed, and so are the characters that
 * move the cursor, turn the direction of text or cannot be seen. Line breaks and tabs become spaces.
 */
export function toTerminalText(text: string): string {
  return withoutSequences(text)
    .replace(/[\t\r\n]+/g, ' ')
    .replace(unseen, '')
}

/** The same for text of several lines, which stay, as do tabs. */
export function toTerminalLines(text: string): string {
  return toTerminalPiece(withoutSequences(text))
}

/** A piece of a text that arrives in pieces, without unsafe characters. What is left of an escape sequence, which may span pieces, stays as text. */
export function toTerminalPiece(piece: string): string {
  return piece.replace(unseen, (character) => (character === '\n' || character === '\t' ? character : ''))
}

const withoutSequences = (text: string) =>
  text.replace(oscSequence, '').replace(stringSequence, '').replace(controlSequence, '').replace(shortSequence, '')

/** JSON text of the same value, in which what a terminal obeys or does not show is an escape. Line breaks and tabs between values stay. */
export function escapeUnseen(json: string): string {
  return json.replace(unseen, (character) => (/[\t\r\n]/.test(character) ? character : escapeOf(character)))
}

function escapeOf(character: string): string {
  let escaped = ''
  for (let at = 0; at < character.length; at++) escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  return escaped
}

/** Cuts to a number of characters, the last of which says that something is missing. */
export function shorten(text: string, maxLength: number): string {
  const characters = [...text]
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}
