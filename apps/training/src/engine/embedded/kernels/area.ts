import type { Address } from './kernels.ts'

/** Hands out parts of a range of memory in order; all are given back together. With no end it measures how much would be needed. */
export class Area {
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

  /** An area that only measures; its addresses lead nowhere. */
  static measuring(): Area {
    return new Area(0, Number.POSITIVE_INFINITY)
  }

  /** Not zeroed; aligned to 64 bytes. */
  take(floats: number): Address {
    const address = this.next
    this.next = Math.ceil((address + floats * 4) / 64) * 64
    if (this.next > this.end) throw new Error(`an area of ${this.end - this.start} bytes is too small by ${this.next - this.end}`)
    this.highest = Math.max(this.highest, this.next)
    return address
  }

  /** What is taken after this is given back by `release`. */
  mark(): Address {
    return this.next
  }

  release(mark: Address): void {
    this.next = mark
  }

  /** Most bytes that were taken at one time. */
  get peakBytes(): number {
    return this.highest - this.start
  }
}
