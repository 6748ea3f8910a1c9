import type { Bytes } from './concat-bytes.ts'

/** Encodes texts as UTF-8; half a surrogate pair becomes U+FFFD. */
export interface TextBytes {
  /** Memory to write to, with whatever was in it before. */
  allocate(bytes: number): Bytes
  lengthOf(text: string): number
  /** Writes a text for which `lengthOf` returned `length` bytes; they must be available. */
  write(text: string, target: Bytes, at: number, length: number): void
}

/** Uses `Buffer` in Node, Bun and Deno, else `TextEncoder`. */
export function createTextBytes(): TextBytes {
  return typeof Buffer === 'undefined' ? createPlainTextBytes() : bufferTextBytes
}

/** A text as long as its bytes is ASCII, which is copied rather than encoded: that takes a third of the time. */
const bufferTextBytes: TextBytes = {
  allocate: (bytes) => Buffer.allocUnsafeSlow(bytes),
  lengthOf: (text) => Buffer.byteLength(text),
  write: (text, target, at, length) => void (target as Buffer).write(text, at, length, length === text.length ? 'latin1' : 'utf8'),
}

export function createPlainTextBytes(): TextBytes {
  const encoder = new TextEncoder()
  let last: { text: string; bytes: Uint8Array } | undefined
  const encode = (text: string) => {
    if (last?.text !== text) last = { text, bytes: encoder.encode(text) }
    return last.bytes
  }
  return {
    allocate: (bytes) => new Uint8Array(bytes),
    lengthOf: (text) => encode(text).length,
    write(text, target, at) {
      target.set(encode(text), at)
      last = undefined
    },
  }
}

const maxKeys = 2000
const maxCharacters = 120

/** Caches the encoded names of attributes: programs use few names, and repeat them on every span. */
export class EncodedKeys {
  readonly #fields = new Map<string, Uint8Array>()
  readonly #encode: (key: string) => Uint8Array

  /** `encode` writes the field with tag, length and text. */
  constructor(encode: (key: string) => Uint8Array) {
    this.#encode = encode
  }

  /** The field of a name. The first 2,000 names of up to 120 characters are cached. */
  find(key: string): Uint8Array {
    return this.#fields.get(key) ?? this.#add(key)
  }

  #add(key: string): Uint8Array {
    const field = this.#encode(key)
    if (this.#fields.size < maxKeys && key.length <= maxCharacters) this.#fields.set(key, field)
    return field
  }
}
