import { isUtf8 } from 'node:buffer'
import type { SeenStrings } from '../../payload/scanned-text.ts'
import { type KeyInterner, toKey } from './key-interner.ts'

const maxDepth = 100
/** Maximum number of values in one text; the scan of a larger one fails. */
export const maxTextValues = 100_000
/** Keys of one object; they are compared with each other. */
const maxKeys = 32
const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
/** The first letter of every reference. */
const refLetter = 0x77
/** The bits that only bytes beyond ASCII have. */
const highBits = 0x80808080
/** If there is no byte, or none of a kind. */
const none = -1

/** 1 for the bytes of a string that are literal. */
const isContent = new Uint8Array(256).fill(1, 0x20)
isContent[quote] = 0
isContent[backslash] = 0
/** 1 at the bytes that make an escape with the backslash before them. */
const isShortEscape = new Uint8Array(256)
for (const letter of Buffer.from('"\\/bfnrt')) isShortEscape[letter] = 1
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/**
 * Finds texts that are a JSON list or object whose members no rule changes, so that they can be stored as sent. Such a text has one line. Its keys
 * have no escapes, are unique in an object, name no credential, and do not turn an object into a list; no escape is half of a surrogate pair. Each
 * byte is read once, without garbage.
 */
export class PlainJsonScanner {
  readonly #bytes: Buffer
  readonly #view: DataView
  readonly #keys: KeyInterner
  #at = 0
  #end = 0
  /** Bits of all bytes of strings, four bytes side by side. */
  #bits = 0
  #valuesLeft = 0
  #mayHoldRefs = false
  #haveNumberedEscapes = false

  constructor(bytes: Buffer, keys: KeyInterner) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#keys = keys
  }

  /** Facts about the strings of the text at this offset; undefined if the text is not of this kind, and must be parsed. */
  scan(start: number, end: number): SeenStrings | undefined {
    this.#at = start
    this.#end = end
    this.#bits = 0
    this.#valuesLeft = maxTextValues
    this.#mayHoldRefs = false
    this.#haveNumberedEscapes = false
    if (!this.#isPlain() || !this.#isUtf8(start, end)) return undefined
    return { mayHoldRefs: this.#mayHoldRefs, haveNumberedEscapes: this.#haveNumberedEscapes }
  }

  #isPlain(): boolean {
    const start = this.#at
    if (!this.#skip(0x5b) && !this.#skip(0x7b)) return false
    const isEmpty = this.#skip(0x5d) || this.#skip(0x7d)
    this.#at = start
    return !isEmpty && this.#value(0) && this.#next() === none
  }

  #isUtf8(start: number, end: number): boolean {
    return (this.#bits & highBits) === 0 || isUtf8(this.#bytes.subarray(start, end))
  }

  // Each of these reads one thing from its first byte on, and leaves the position after it when it is plain.

  #value(depth: number): boolean {
    this.#valuesLeft -= 1
    if (this.#valuesLeft < 0) return false
    switch (this.#next()) {
      case quote:
        return this.#string()
      case 0x5b:
        return depth < maxDepth && this.#list(depth + 1)
      case 0x7b:
        return depth < maxDepth && this.#object(depth + 1)
      default:
        return this.#scalar()
    }
  }

  #list(depth: number): boolean {
    this.#at += 1
    if (this.#skip(0x5d)) return true
    do if (!this.#value(depth)) return false
    while (this.#skip(0x2c))
    return this.#skip(0x5d)
  }

  #object(depth: number): boolean {
    this.#at += 1
    if (this.#skip(0x7d)) return true
    const keys: string[] = []
    do if (!this.#key(keys) || !this.#skip(0x3a) || !this.#value(depth)) return false
    while (this.#skip(0x2c))
    return this.#skip(0x7d)
  }

  #key(before: string[]): boolean {
    if (this.#next() !== quote || before.length === maxKeys) return false
    const start = this.#at + 1
    if (!this.#string()) return false
    const end = this.#at - 1
    const { text, isPlain } = this.#keys.intern(this.#bytes, start, end) ?? toKey(this.#bytes.toString('utf8', start, end))
    if (!isPlain || before.includes(text)) return false
    before.push(text)
    return true
  }

  #string(): boolean {
    let at = this.#at + 1
    this.#lookForRef(at)
    for (;;) {
      at = this.#endOfContent(at)
      if (this.#byteAt(at) !== backslash) break
      const escaped = this.#byteAt(at + 1)
      if (isShortEscape[escaped] === 1) {
        at += 2
        if (escaped === quote) this.#lookForRef(at)
      } else if (this.#isCharacterEscape(at + 1)) {
        at += 6
        this.#haveNumberedEscapes = true
        this.#mayHoldRefs = true
      } else break
    }
    this.#at = at + 1
    return this.#byteAt(at) === quote
  }

  /** At the beginning of a string, or after a quote within one, where a string of a JSON text in it may begin. */
  #lookForRef(at: number): void {
    if (this.#byteAt(at) === refLetter) this.#mayHoldRefs = true
  }

  /** The end of a run of literal bytes. Nearly all of a text is skipped here: four bytes at a time, as one number, then the rest. */
  #endOfContent(start: number): number {
    const bytes = this.#bytes
    const view = this.#view
    const end = this.#end
    let bits = 0
    let at = start
    for (; at + 4 <= end; at += 4) {
      const word = view.getInt32(at, true)
      if (!isContentWord(word)) break
      bits |= word
    }
    for (; at < end; at += 1) {
      const byte = bytes[at] as number
      if (isContent[byte] === 0) break
      bits |= byte
    }
    this.#bits |= bits
    return at
  }

  /** True for `u` and four digits that are not half of a surrogate pair. */
  #isCharacterEscape(start: number): boolean {
    const first = this.#hexDigit(start + 1)
    const second = this.#hexDigit(start + 2)
    const isComplete = this.#byteAt(start) === 0x75 && first >= 0 && second >= 0
    const isHalf = first === 0xd && second >= 8
    return isComplete && !isHalf && this.#hexDigit(start + 3) >= 0 && this.#hexDigit(start + 4) >= 0
  }

  #hexDigit(at: number): number {
    const byte = this.#byteAt(at)
    if (isDigit(byte)) return byte - 0x30
    const lower = byte | 0x20
    return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : none
  }

  /** A number, `true`, `false` or `null`. */
  #scalar(): boolean {
    const first = this.#byteAt(this.#at)
    const isRead = first === minus || isDigit(first) ? this.#number() : words.some((word) => this.#word(word))
    const after = this.#next()
    return isRead && (after === 0x2c || after === 0x5d || after === 0x7d)
  }

  #number(): boolean {
    if (this.#byteAt(this.#at) === minus) this.#at += 1
    const whole = this.#at
    if (!this.#digits() || (this.#at - whole > 1 && this.#byteAt(whole) === 0x30)) return false
    if (this.#byteAt(this.#at) === 0x2e) {
      this.#at += 1
      if (!this.#digits()) return false
    }
    if ((this.#byteAt(this.#at) | 0x20) !== 0x65) return true
    this.#at += 1
    const sign = this.#byteAt(this.#at)
    if (sign === minus || sign === 0x2b) this.#at += 1
    return this.#digits()
  }

  /** False if there is none. */
  #digits(): boolean {
    const start = this.#at
    while (isDigit(this.#byteAt(this.#at))) this.#at += 1
    return this.#at > start
  }

  #word(word: Buffer): boolean {
    for (let index = 0; index < word.length; index += 1) if (this.#byteAt(this.#at + index) !== word[index]) return false
    this.#at += word.length
    return true
  }

  #byteAt(at: number): number {
    return at < this.#end ? (this.#bytes[at] as number) : none
  }

  /** The next byte that is not a blank, which is not consumed; -1 at the end. */
  #next(): number {
    while (this.#byteAt(this.#at) === 0x20) this.#at += 1
    return this.#byteAt(this.#at)
  }

  /** Consumes that byte, and returns whether it was there. */
  #skip(byte: number): boolean {
    if (this.#next() !== byte) return false
    this.#at += 1
    return true
  }
}

/**
 * True if no byte of a word is a control character, a quote or a backslash; false is inconclusive. A byte below `n` borrows from its highest bit when
 * `n` is subtracted from it, and a byte that equals another is below 1 after XOR. After Mycroft (1987).
 */
function isContentWord(word: number): boolean {
  const quotes = word ^ 0x22222222
  const backslashes = word ^ 0x5c5c5c5c
  const found = ((word - 0x20202020) & ~word) | ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes)
  return (found & 0x80808080) === 0
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}
