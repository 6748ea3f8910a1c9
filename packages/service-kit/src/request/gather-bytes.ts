import { Buffer } from 'node:buffer'

/** Concatenates chunks of bytes. */
export interface Gathering {
  add(chunk: Uint8Array): void
  /** All chunks, concatenated; a single chunk is returned without a copy. The buffer is exactly as long as its content when `expected` was right. */
  finish(): Uint8Array
}

/** The buffer grows to at most this multiple of the bytes received, so that a declared length alone allocates nothing. */
const growth = 16

/**
 * `expected` is the declared length, if there is one. Chunks are copied as they arrive: if kept until the last one, they would survive the young
 * generation and cost a major garbage collection.
 */
export function createGathering(expected: number | undefined): Gathering {
  let first: Uint8Array | undefined
  let buffer: Uint8Array | undefined
  let length = 0

  /** The buffer, grown to at least this many bytes. */
  function bufferFor(needed: number): Uint8Array {
    if (buffer && needed <= buffer.byteLength) return buffer
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(needed * growth, expected ?? needed * 2)))
    const before = buffer ?? first
    if (before) larger.set(before.subarray(0, length))
    return (buffer = larger)
  }

  return {
    add(chunk) {
      if (first === undefined) first = chunk
      else bufferFor(length + chunk.byteLength).set(chunk, length)
      length += chunk.byteLength
    },
    finish() {
      return buffer?.subarray(0, length) ?? first ?? new Uint8Array(0)
    },
  }
}
