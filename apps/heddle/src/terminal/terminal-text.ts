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
  return text
    .replace(oscSequence, '')
    .replace(stringSequence, '')
    .replace(controlSequence, '')
    .replace(shortSequence, '')
    .replace(/[\t\r\n]+/g, ' ')
    .replace(unseen, '')
}

/** Cuts to a number of characters, the last of which says that something is missing. */
export function shorten(text: string, maxLength: number): string {
  const characters = [...text]
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}
