const backslash = 0x5c
const letterU = 0x75
/** Beginning of the escape of any character of a secret. */
const escapeStart = Buffer.from('\\u00')
/** Characters of an escape after its backslashes. */
const afterBackslashes = 5
/** Most backslashes of one escape: that of a JSON text in a JSON text has two, one level deeper four, then eight. */
const maxBackslashes = 8
/** Longest form of a character. */
export const escapeLength = maxBackslashes + afterBackslashes
/** Bytes that are decoded at a time. */
const chunkBytes = 32_768

/** Determines whether bytes write any character of a secret as an escape; escapes of other characters, such as accented letters, do not count. */
export function findEscaped(secret: Buffer): (bytes: Buffer) => boolean {
  if (hasShortEscape(secret)) return (bytes) => bytes.includes(backslash)
  const characters = new Set(secret)
  return (bytes) => {
    for (let at = bytes.indexOf(escapeStart); at >= 0; at = bytes.indexOf(escapeStart, at + escapeStart.length))
      if (characters.has(codeAt(bytes, at + 1))) return true
    return false
  }
}

/**
 * Overwrites a secret of ASCII characters in a JSON text that writes any of its characters as `\u0068` or `\/`, or, in JSON texts within it, as
 * `\\u0068`. Takes time in proportion to the text, and none if it has no such escape. `toMask` creates the replacement, which has as many bytes.
 */
export function maskEscaped(bytes: Buffer, secret: Buffer, toMask: (length: number) => Buffer): void {
  const first = bytes.indexOf(hasShortEscape(secret) ? Buffer.of(backslash) : escapeStart)
  if (first < 0) return
  const overlap = secret.length * escapeLength
  const decoded = Buffer.alloc(chunkBytes + overlap)
  const offsets = new Uint32Array(decoded.length + 1)
  for (let start = Math.max(0, first - overlap); start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, Math.min(bytes.length, start + chunkBytes + overlap))
    const length = decode(chunk, decoded, offsets)
    const found = decoded.subarray(0, length)
    for (let at = found.indexOf(secret); at >= 0; at = found.indexOf(secret, at + secret.length)) {
      const [from, to] = [offsets[at] ?? 0, offsets[at + secret.length] ?? chunk.length]
      toMask(to - from).copy(chunk, from)
    }
  }
}

/** Whether JSON may write a character of it as a backslash with that character. */
function hasShortEscape(secret: Buffer): boolean {
  return [...'"/\\'].some((character) => secret.includes(character))
}

/** Writes each character and its offset, followed by the end offset. Returns the number of characters. */
function decode(chunk: Buffer, decoded: Buffer, offsets: Uint32Array): number {
  let length = 0
  let at = 0
  const write = (character: number, width: number) => {
    offsets[length] = at
    decoded[length] = character
    length++
    at += width
  }
  while (at < chunk.length) {
    if (chunk[at] !== backslash) {
      write(chunk[at] ?? 0, 1)
      continue
    }
    const end = endOfBackslashes(chunk, at)
    const code = codeAt(chunk, end)
    const own = code < 0 ? 0 : ownBackslashes(end - at)
    // The backslashes of an escape may follow backslashes that are escaped themselves.
    while (end - at > own && at < chunk.length) write(chunk[at + 1] ?? backslash, Math.min(2, chunk.length - at))
    if (own > 0) write(code, own + afterBackslashes)
  }
  offsets[length] = at
  return length
}

function endOfBackslashes(chunk: Buffer, start: number): number {
  let end = start
  while (chunk[end] === backslash) end++
  return end
}

/** How many of so many backslashes before `u0068` are those of the escape; 0 where that would be too many. Each level of JSON in JSON halves their number. */
function ownBackslashes(count: number): number {
  const own = count & -count
  return own <= maxBackslashes ? own : 0
}

/** The ASCII character that `u0068` encodes; -1 for anything else. */
function codeAt(chunk: Buffer, at: number): number {
  if (at + afterBackslashes > chunk.length || chunk[at] !== letterU || hexAt(chunk, at + 1) !== 0 || hexAt(chunk, at + 2) !== 0) return -1
  const [high, low] = [hexAt(chunk, at + 3), hexAt(chunk, at + 4)]
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/** Value of a hexadecimal digit; -1 for any other byte. */
function hexAt(chunk: Buffer, at: number): number {
  const byte = chunk[at] ?? 0
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
