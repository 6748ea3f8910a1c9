import { invariant } from '@heddle/datastore/invariant'
import type { Address } from './kernels.ts'

/** Allocates from a range of memory by moving a pointer; everything after a mark is freed together. Without an end it measures how much would be needed. */
export class Arena {
  private readonly start: Address
  private readonly end: Address
  private next: Address
  private highest: Address

  constructor(start: Address, bytes: number) {
    this.start = start
    this.end = start + bytes
    this.next = start
    this.highest = start
  }

  /** An arena that only measures; its addresses lead nowhere. */
  static measuring(): Arena {
    return new Arena(0, Number.POSITIVE_INFINITY)
  }

  /** Not zeroed; aligned to 64 bytes. */
  alloc(floats: number): Address {
    const address = this.next
    invariant(floats >= 0, 'engine.allocations-go-forward', () => `${floats} floats`)
    this.next = Math.ceil((address + floats * 4) / 64) * 64
    if (this.next > this.end) throw new Error(`an arena of ${this.end - this.start} bytes is too small by ${this.next - this.end}`)
    this.highest = Math.max(this.highest, this.next)
    return address
  }

  /** Everything allocated after this mark is freed by `release`. */
  mark(): Address {
    return this.next
  }

  release(mark: Address): void {
    // A mark above would hand out memory twice after the next release.
    invariant(
      mark >= this.start && mark <= this.next,
      'engine.releases-go-back',
      () => `${mark} is not between ${this.start} and ${this.next}`,
    )
    this.next = mark
  }

  /** Most bytes that were allocated at one time. */
  get peakBytes(): number {
    return this.highest - this.start
  }
}
