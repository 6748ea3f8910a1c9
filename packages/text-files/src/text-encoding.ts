/** Encodings of text files, by the labels of the web platform; windows-1252 reads latin-1 as well. */
export const encodingTitles = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252 or Latin-1 (Western European)',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  shift_jis: 'Shift JIS (Japanese)',
  gb18030: 'GB 18030 (Chinese)',
} as const
export type Encoding = keyof typeof encodingTitles
export const encodings = Object.keys(encodingTitles) as Encoding[]

/** Bytes to inspect if there is no byte order mark. */
const sampleBytes = 64 * 1024

/** Takes the bytes of a file in pieces. */
export interface EncodingDetector {
  add(bytes: Uint8Array): void
  end(): Encoding
}

/**
 * Finds the most likely encoding of a text: that of its byte order mark; UTF-16 if every other byte of its ASCII part is zero; UTF-8 if the bytes are
 * valid; else Windows-1252. Only the user can distinguish the other encodings with one byte per character.
 */
export function createEncodingDetector(): EncodingDetector {
  const sample = new Uint8Array(sampleBytes)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let sampled = 0
  let isUtf8 = true
  const check = (bytes?: Uint8Array) => {
    try {
      utf8.decode(bytes, { stream: bytes !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  return {
    add(bytes) {
      const part = bytes.subarray(0, sampleBytes - sampled)
      sample.set(part, sampled)
      sampled += part.length
      if (isUtf8) check(bytes)
    },
    end() {
      if (isUtf8) check()
      const start = sample.subarray(0, sampled)
      return markedEncoding(start) ?? utf16Of(start) ?? (isUtf8 ? 'utf-8' : 'windows-1252')
    },
  }
}

/** The most likely encoding of a text that is in memory. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  const detector = createEncodingDetector()
  detector.add(bytes)
  return detector.end()
}

function markedEncoding([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

/** Texts of tables have separators, line ends and digits, whose upper byte is zero in UTF-16; in other encodings no byte is. */
function utf16Of(sample: Uint8Array): Encoding | undefined {
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1
  const [even = 0, odd = 0] = zeros
  if (even + odd === 0 || Math.max(even, odd) < sample.length / 20) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** The text without its byte order mark, and how many characters are invalid in this encoding: they became U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): { text: string; unread: number } {
  const decoder = new TextDecoder(encoding)
  // As a stream: Node 20 reads a whole text of Windows-1252 as Latin-1.
  const text = decoder.decode(bytes, { stream: true }) + decoder.decode()
  return { text, unread: countOf(text, '\uFFFD') - (encoding === 'utf-8' ? countOfBytes(bytes) : 0) }
}

function countOf(text: string, sign: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++
  return count
}

/** U+FFFD as UTF-8: a file may hold it. */
function countOfBytes(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++
  return count
}
