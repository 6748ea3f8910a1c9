import { Buffer } from 'node:buffer'

/** Pieces of bytes on their way to become one. */
export interface Gathering {
  add(piece: Uint8Array): void
  /** All pieces, one after the other; an only piece as it is. The memory is theirs alone when there were several, and as many as were expected. */
  finish(): Uint8Array
}

/** Room is made for so many times the bytes that came, so that a sender takes no more memory than it pays for. */
const growth = 16

/**
 * Gathers bytes, of which `expected` are announced. They are copied as they come: pieces that are kept until the last one outlive the young garbage,
 * and cost a search of the whole heap.
 */
export function createGathering(expected: number | undefined): Gathering {
  let first: Uint8Array | undefined
  let room: Uint8Array | undefined
  let length = 0

  /** The room, with space for so many bytes in all. */
  function roomFor(needed: number): Uint8Array {
    if (room && needed <= room.byteLength) return room
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(needed * growth, expected ?? needed * 2)))
    const before = room ?? first
    if (before) larger.set(before.subarray(0, length))
    return (room = larger)
  }

  return {
    add(piece) {
      if (first === undefined) first = piece
      else roomFor(length + piece.byteLength).set(piece, length)
      length += piece.byteLength
    },
    finish() {
      return room?.subarray(0, length) ?? first ?? new Uint8Array(0)
    },
  }
}
