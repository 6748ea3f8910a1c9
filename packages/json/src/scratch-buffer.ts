const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const brace = 0x7b
const nowhere = -1
const firstBytes = 16_384
const longestLoop = 64

/** A buffer that grows, for texts in UTF-8 that are written one after the other and soon forgotten. Not for concurrent use. */
export class ScratchBuffer {
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  /** Where the current text begins, and the offset of its next byte. */
  #start = 0
  #at = 0

  /** Adds text in ASCII. */
  addAscii(text: string): void {
    const length = text.length
    this.#ensureCapacity(length)
    if (length > longestLoop) {
      this.#at += this.#bytes.write(text, this.#at, 'latin1')
      return
    }
    // For short texts a loop beats a call into the runtime.
    const bytes = this.#bytes
    let at = this.#at
    for (let index = 0; index < length; index += 1) bytes[at++] = text.charCodeAt(index)
    this.#at = at
  }

  /** Adds any text. Half of a surrogate pair becomes U+FFFD. */
  addText(text: string): void {
    this.#ensureCapacity(text.length * 3)
    this.#at += this.#bytes.write(text, this.#at, 'utf8')
  }

  addBytes(bytes: Uint8Array): void {
    this.#ensureCapacity(bytes.byteLength)
    this.#bytes.set(bytes, this.#at)
    this.#at += bytes.byteLength
  }

  /** Adds a text between quotes, if it is short and nothing in it needs an escape or is beyond ASCII. False when it was not added. */
  addPlainString(text: string): boolean {
    this.#ensureCapacity(longestLoop + 2)
    const end = this.#writeQuoted(text, this.#at)
    if (end === nowhere) return false
    this.#at = end
    return true
  }

  /** The same for the key of a member, with `opening` before it and a colon after it. */
  addPlainKey(opening: '{' | ',', key: string): boolean {
    this.#ensureCapacity(longestLoop + 4)
    const end = this.#writeQuoted(key, this.#at + 1)
    if (end === nowhere) return false
    const bytes = this.#bytes
    bytes[this.#at] = opening === '{' ? brace : comma
    bytes[end] = colon
    this.#at = end + 1
    return true
  }

  /** The text added since the last `take`, as a view of the buffer: it is overwritten after `clear`. */
  take(): Uint8Array {
    const text = this.#bytes.subarray(this.#start, this.#at)
    this.#start = this.#at
    return text
  }

  /** Forgets all texts: the next ones overwrite them. */
  clear(): void {
    this.#start = 0
    this.#at = 0
  }

  /** The end of the quoted text that now begins at `start`; -1 where it is not plain or not short. */
  #writeQuoted(text: string, start: number): number {
    const length = text.length
    if (length > longestLoop) return nowhere
    const bytes = this.#bytes
    let at = start
    bytes[at++] = quote
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      if (code < 0x20 || code > 0x7e || code === quote || code === backslash) return nowhere
      bytes[at++] = code
    }
    bytes[at++] = quote
    return at
  }

  #ensureCapacity(size: number): void {
    if (this.#at + size <= this.#bytes.length) return
    // Finished texts remain where they are.
    const begun = this.#bytes.subarray(this.#start, this.#at)
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length, begun.length + size) * 2)
    this.#bytes.set(begun)
    this.#start = 0
    this.#at = begun.length
  }
}
