/**
 * Classes of texts within which no rule distinguishes texts further: two texts of one class are written to the same columns of a call. `list` is a
 * JSON list that is stored as sent and contains no reference; `other` is any text that JSON escapes, that may be other JSON or a reference, or that
 * is not ASCII.
 */
export const textClasses = { other: 0, empty: 1, short: 2, marked: 3, word: 4, prose: 5, long: 6, list: 7 } as const

/** Codes up to this one are those of texts. */
export const lastTextClass = textClasses.list

/** Bytes of the longest text of each class; a text of class `word` has no blank. */
export const longestOf = { short: 61, marked: 64, word: 200, prose: 1_000 } as const

const blank = 0x20
const letterW = 0x77

/** The class of the text `bytes[start, start + length)`; `other` for a list. */
export function textClassOf(bytes: Uint8Array, start: number, length: number): number {
  if (length === 0) return textClasses.empty
  const first = bytes[start] as number
  // A list, an object, or a reference.
  if (first === 0x5b || first === 0x7b || (first === letterW && isReference(bytes, start, length))) return textClasses.other
  let hasBlank = false
  for (let at = start, end = start + length; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte < blank || byte > 0x7e || byte === 0x22 || byte === 0x5c) return textClasses.other
    if (byte === blank) hasBlank = true
  }
  return classOfLength(length, hasBlank)
}

function classOfLength(length: number, hasBlank: boolean): number {
  if (length <= longestOf.short) return textClasses.short
  if (length <= longestOf.marked) return textClasses.marked
  if (length <= longestOf.word && !hasBlank) return textClasses.word
  return length <= longestOf.prose ? textClasses.prose : textClasses.long
}

const scheme = Buffer.from('weave:')

function isReference(bytes: Uint8Array, start: number, length: number): boolean {
  return length >= scheme.length && scheme.every((byte, index) => bytes[start + index] === byte)
}
