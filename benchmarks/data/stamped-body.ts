/** A request body that is encoded once and sent many times, each time with ids and times of its own. */
export interface StampedBody {
  bytes: Buffer
  /** Calls in it. */
  calls: number
  /** Gives the body the ids that belong to `sequence`, below 2^32, and lets its first call start at `startMs`. */
  stamp(sequence: number, startMs: number): void
  /** Ids of its calls under that sequence, as the service shows them. */
  idsOf(sequence: number): string[]
}

/** An id of a body: all but its last four bytes stay. */
export interface IdSlot {
  /** Its first part, as text. */
  prefix: string
  /** Four bytes that are mixed with the sequence. */
  salt: number
  /** Offsets of its last four bytes, or of their eight digits, in the body. */
  offsets: readonly number[]
}

/** The last part of the id in a slot: different for each sequence, and without order, as ids are. */
export function stampOf(slot: Pick<IdSlot, 'salt'>, sequence: number): number {
  let mixed = sequence >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16) ^ slot.salt) >>> 0
}

export function toHex(stamp: number): string {
  return stamp.toString(16).padStart(8, '0')
}

/** All places at which the bytes stand. */
export function offsetsOf(body: Buffer, needle: Buffer): number[] {
  const offsets: number[] = []
  for (let at = body.indexOf(needle); at !== -1; at = body.indexOf(needle, at + 1)) offsets.push(at)
  return offsets
}
