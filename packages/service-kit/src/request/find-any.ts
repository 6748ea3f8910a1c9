/** Whether bytes hold one of several texts. */
export type FindAny = (bytes: Uint8Array) => boolean

/** Bytes that are looked at together. */
const blockBytes = 3
const hashes = 4096
/** Of longer texts only a beginning of this length decides how far the search moves on, as a move is one byte. */
const maxCompared = 200

/**
 * Prepares a search for any of these texts, each of at least three bytes, in one pass that looks at few of the bytes: three of each n, where n is the
 * length of the shortest text, since most blocks of three bytes are in no text, so that none can begin before them (Wu and Manber's search).
 */
export function findAny(texts: readonly Uint8Array[]): FindAny {
  const compared = texts.reduce((shortest, { length }) => Math.min(shortest, length), maxCompared)
  const last = compared - blockBytes
  const moves = new Uint8Array(hashes).fill(last + 1)
  for (const text of texts)
    for (let at = 0; at <= last; at++) {
      const hash = hashAt(text, at)
      moves[hash] = Math.min(moves[hash] ?? 0, last - at)
    }
  const standsAt = (bytes: Uint8Array, start: number) => texts.some((text) => isAt(bytes, start, text))
  return (bytes) => {
    const end = bytes.length - blockBytes
    for (let at = last; at <= end;) {
      const move = moves[hashAt(bytes, at)] ?? 0
      if (move === 0 && standsAt(bytes, at - last)) return true
      at += move || 1
    }
    return false
  }
}

function hashAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) ^ ((bytes[at + 1] ?? 0) << 3) ^ ((bytes[at + 2] ?? 0) << 6)) & (hashes - 1)
}

function isAt(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  if (start + text.length > bytes.length) return false
  for (let index = 0; index < text.length; index++) if (bytes[start + index] !== text[index]) return false
  return true
}
