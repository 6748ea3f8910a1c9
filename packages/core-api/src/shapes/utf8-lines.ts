const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** A line of a text is not UTF-8. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8'
  /** From 1. */
  readonly line: number
  /** To follow the name of the line: `is not UTF-8; …`. */
  readonly reason: string

  constructor(line: number, reason: string) {
    super(`line ${line} ${reason}`)
    this.line = line
    this.reason = reason
  }
}

/**
 * The lines of a text while it is read, without their ends and without a byte order mark. Bytes of another encoding are refused: replaced by U+FFFD
 * they would be other texts. Only line feeds end a line, since texts of JSON may hold other separators.
 * @throws NotUtf8
 */
export async function* readUtf8Lines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = []
  let line = 0
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield decodeLine([...pieces, chunk.subarray(start, end)], ++line)
      pieces = []
      start = end + 1
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start))
  }
  if (pieces.length > 0) yield decodeLine(pieces, ++line)
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeLine(pieces: readonly Uint8Array[], line: number): string {
  const whole = withoutMark(pieces.length === 1 ? pieces[0]! : join(pieces), line)
  const bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole
  // No text of JSON holds a zero byte, which each ASCII character of UTF-16 has.
  if (bytes.includes(0) || isMarkOfUtf16(bytes)) throw new NotUtf8(line, 'is not UTF-8 but UTF-16; save the file as UTF-8')
  try {
    return strict.decode(bytes)
  } catch {
    throw new NotUtf8(line, 'is not UTF-8; convert the file, as with iconv -f WINDOWS-1252 -t UTF-8')
  }
}

const isMarkOfUtf16 = ([first, second]: Uint8Array) => (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

function withoutMark(bytes: Uint8Array, line: number): Uint8Array {
  const [first, second, third] = bytes
  return line === 1 && first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
