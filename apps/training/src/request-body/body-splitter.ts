import { invalid, tooLarge } from '@heddle/core-api/internal'

/** A value inside a body of trajectory groups, as its JSON text. */
export type BodyPiece =
  /** A key of the body other than a list of groups. */
  | { at: 'body'; key: string; text: string }
  /** The list of groups begins. */
  | { at: 'groups' }
  /** A group that is not an object. */
  | { at: 'group'; group: number; text: string }
  /** A key of a group other than a list of trajectories. */
  | { at: 'field'; group: number; key: string; text: string }
  /** The list of trajectories of a group begins. */
  | { at: 'trajectories'; group: number }
  | { at: 'trajectory'; group: number; trajectory: number; text: string }
  | { at: 'group end'; group: number }

/** Longest JSON text of one trajectory, or of any other value, in bytes. */
const maxPieceBytes = 64 * 2 ** 20
/** Commas, colons and opening brackets per piece: tiny values take many times their text in memory. A million tokens have about 11 million. */
const maxPieceParts = 16_000_000
/** Levels of objects and lists in one. */
const maxPieceDepth = 200

const code = { quote: 34, backslash: 92, colon: 58, comma: 44, openBrace: 123, closeBrace: 125, openBracket: 91, closeBracket: 93 }

/** Containers that are looked into: the body, the list of groups, a group, and its list of trajectories. */
type Level = 'body' | 'groups' | 'group' | 'trajectories'
type Expectation = 'key or end' | 'key' | 'colon' | 'value or end' | 'value' | 'comma or end'

/**
 * Splits the body of a request with trajectory groups into pieces that are small enough to be parsed, while it is read. The content of a piece is not
 * inspected. A scalar in the position of a list or an object is left to the reader of the pieces.
 * @throws ApiError 422 `json_invalid` that names the byte, 413 for a piece that is too large or too deep
 */
export class BodySplitter {
  #levels: Level[] = []
  #expected: Expectation = 'value'
  #key = ''
  #group = -1
  #trajectory = -1
  #offset = 0
  /** The part being captured: a value, or a key. */
  #captured: Buffer[] | undefined
  #capturedBytes = 0
  #isKey = false
  #depth = 0
  #parts = 0
  #isInText = false
  #isEscaped = false
  #isScalar = false
  #hasEnded = false

  /** @throws ApiError 422 where the body is cut */
  end(): void {
    if (!this.#hasEnded || this.#captured) throw broken(this.#offset)
  }

  /** The pieces that end in this chunk. */
  *read(chunk: Buffer): Generator<BodyPiece> {
    let start = this.#captured ? 0 : -1
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#captured) {
        const end = this.#endOf(byte)
        if (end === 'inside') continue
        const until = end === 'after' ? at + 1 : at
        this.#keep(chunk.subarray(start, until))
        start = -1
        yield* this.#finish()
        if (end === 'after') continue
      }
      if (isSpace(byte)) continue
      if (this.#begins(byte)) {
        start = at
        continue
      }
      yield* this.#structure(byte, this.#offset + at)
    }
    if (this.#captured) this.#keep(chunk.subarray(start === -1 ? 0 : start))
    this.#offset += chunk.length
  }

  #keep(part: Buffer): void {
    this.#capturedBytes += part.length
    if (this.#capturedBytes > maxPieceBytes)
      throw tooLarge(`a trajectory of the body, or another of its values, has more than ${maxPieceBytes} bytes; send less in one`)
    if (part.length > 0) this.#captured?.push(Buffer.from(part))
  }

  /** Whether the captured value ends with this byte, before it, or not yet. */
  #endOf(byte: number): 'inside' | 'after' | 'before' {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === code.backslash) this.#isEscaped = true
      else if (byte === code.quote) {
        this.#isInText = false
        return this.#depth === 0 ? 'after' : 'inside'
      }
      return 'inside'
    }
    if (this.#isScalar) return isSpace(byte) || isStructure(byte) ? 'before' : 'inside'
    if (byte === code.quote) this.#isInText = true
    else if (byte === code.comma || byte === code.colon) this.#addPart()
    else if (byte === code.openBrace || byte === code.openBracket) this.#addLevel()
    else if (byte === code.closeBrace || byte === code.closeBracket) {
      this.#depth--
      if (this.#depth === 0) return 'after'
    }
    return 'inside'
  }

  #addPart(): void {
    if (++this.#parts > maxPieceParts)
      throw tooLarge(`a trajectory of the body, or another of its values, has more than ${maxPieceParts} keys and values; send less in one`)
  }

  #addLevel(): void {
    this.#addPart()
    if (++this.#depth > maxPieceDepth)
      throw tooLarge(`a trajectory of the body, or another of its values, is nested deeper than ${maxPieceDepth} levels`)
  }

  /** Begins to capture a key or a value that is not looked into. */
  #begins(byte: number): boolean {
    const isKey = byte === code.quote && (this.#expected === 'key' || this.#expected === 'key or end')
    const isValue = (this.#expected === 'value' || this.#expected === 'value or end') && !isEnd(byte) && this.#levelFor(byte) === undefined
    if (!isKey && !isValue) return false
    if (this.#levels.length === 0) return false
    this.#captured = []
    this.#capturedBytes = 0
    this.#isKey = isKey
    this.#isInText = byte === code.quote
    this.#isEscaped = false
    this.#isScalar = byte !== code.quote && byte !== code.openBrace && byte !== code.openBracket
    this.#depth = byte === code.openBrace || byte === code.openBracket ? 1 : 0
    this.#parts = 0
    return true
  }

  /** The container that begins here and is looked into. */
  #levelFor(byte: number): Level | undefined {
    const level = this.#levels.at(-1)
    if (level === undefined) return byte === code.openBrace && !this.#hasEnded ? 'body' : undefined
    if (level === 'body') return byte === code.openBracket && this.#key === 'trajectory_groups' ? 'groups' : undefined
    if (level === 'groups') return byte === code.openBrace ? 'group' : undefined
    if (level === 'group') return byte === code.openBracket && this.#key === 'trajectories' ? 'trajectories' : undefined
    return undefined
  }

  *#finish(): Generator<BodyPiece> {
    const text = Buffer.concat(this.#captured ?? []).toString('utf8')
    this.#captured = undefined
    if (this.#isKey) {
      this.#key = parseKey(text, this.#offset)
      this.#expected = 'colon'
      return
    }
    this.#expected = 'comma or end'
    const level = this.#levels.at(-1)
    if (level === 'body') yield { at: 'body', key: this.#key, text }
    else if (level === 'groups') yield { at: 'group', group: ++this.#group, text }
    else if (level === 'group') yield { at: 'field', group: this.#group, key: this.#key, text }
    else yield { at: 'trajectory', group: this.#group, trajectory: ++this.#trajectory, text }
  }

  *#structure(byte: number, offset: number): Generator<BodyPiece> {
    const level = this.#levels.at(-1)
    if (this.#expected === 'colon' && byte === code.colon) this.#expected = 'value'
    else if (this.#expected === 'comma or end' && byte === code.comma && level !== undefined)
      this.#expected = isObject(level) ? 'key' : 'value'
    else if ((this.#expected === 'value' || this.#expected === 'value or end') && this.#levelFor(byte) !== undefined)
      yield* this.#enter(this.#levelFor(byte)!)
    else if ((this.#expected === 'comma or end' || this.#expected.endsWith('or end')) && level !== undefined && byte === endOf(level))
      yield* this.#leave(level)
    else throw broken(offset)
  }

  *#enter(level: Level): Generator<BodyPiece> {
    this.#levels.push(level)
    this.#expected = isObject(level) ? 'key or end' : 'value or end'
    if (level === 'groups') yield { at: 'groups' }
    if (level === 'group') this.#group++
    if (level === 'trajectories') {
      this.#trajectory = -1
      yield { at: 'trajectories', group: this.#group }
    }
  }

  *#leave(level: Level): Generator<BodyPiece> {
    this.#levels.pop()
    this.#expected = 'comma or end'
    if (level === 'group') yield { at: 'group end', group: this.#group }
    if (level === 'body') this.#hasEnded = true
  }
}

const isObject = (level: Level) => level === 'body' || level === 'group'
const endOf = (level: Level) => (isObject(level) ? code.closeBrace : code.closeBracket)
const isSpace = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9
const isEnd = (byte: number) => byte === code.closeBrace || byte === code.closeBracket || byte === code.comma || byte === code.colon
const isStructure = (byte: number) => isEnd(byte)

/** @throws ApiError 422 for a key with a broken escape */
function parseKey(text: string, offset: number): string {
  try {
    return JSON.parse(text) as string
  } catch {
    throw broken(offset)
  }
}

function broken(offset: number) {
  return invalid([{ loc: ['body'], msg: `the body is not a JSON object: it breaks at byte ${offset}`, type: 'json_invalid' }])
}
