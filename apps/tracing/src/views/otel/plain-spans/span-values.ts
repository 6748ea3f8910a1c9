import type { RowValues } from '@heddle/datastore'
import { toNaiveText } from '../../../payload/naive-time.ts'
import { maxAttributes, valueCodes, type PlainSpan } from './plain-span.ts'
import { lastTextClass } from './text-class.ts'

/** Indexes of the texts of a span; those of attributes are consecutive, followed by sums. */
export const textSlots = { traceId: 0, id: 1, parentId: 2, startTime: 3, endTime: 4, message: 5, attributes: 6 } as const
/** Indexes of the integers of a span, likewise. */
export const integerSlots = { startedAt: 0, endedAt: 1, attributes: 2 } as const

/** Attributes of which a row has the sum. */
export type Sum = readonly [index: number, other: number]

export const maxSums = 16
/** Characters of the longest double or integer. */
const longestNumber = 24
/** Characters of the ids and times of a span, rounded up: 32 + 2 × 16 hexadecimal digits, and two times of 26. */
const longestFixed = 200
const slots = textSlots.attributes + maxAttributes + maxSums
const two32 = 4294967296
const point = 0x2e
const zero = 0x30
const hexDigits = Buffer.from('0123456789abcdef')

/** Values for the row of a plain span. A text is a range of bytes, in `made` where `isMade` is 1, else in `sent`. */
export class SpanValues implements RowValues {
  readonly starts = new Int32Array(slots)
  readonly lengths = new Int32Array(slots)
  readonly isMade = new Uint8Array(slots)
  readonly made = Buffer.alloc(longestFixed + (maxAttributes + maxSums) * longestNumber)
  readonly integers = new Float64Array(slots)
  sent: Buffer = Buffer.alloc(0)
  #at = 0
  /** The second since 1970 whose text was made last: consecutive spans often have the same. */
  #second = -1
  readonly #secondText = Buffer.alloc('2026-01-01T00:00:00'.length)

  /** Replaces the values by those of a span, whose bytes must stay unchanged while they are used. */
  take(span: PlainSpan, sums: readonly Sum[]): void {
    const { bytes } = span
    this.sent = bytes
    this.#at = 0
    this.#hex(textSlots.traceId, span.traceId, 16)
    this.#hex(textSlots.id, span.id, 8)
    if (span.parentId >= 0) this.#hex(textSlots.parentId, span.parentId, 8)
    this.#time(textSlots.startTime, integerSlots.startedAt, microsAt(bytes, span.startTime))
    this.#time(textSlots.endTime, integerSlots.endedAt, microsAt(bytes, span.endTime))
    this.#sent(textSlots.message, span.message, span.messageLength)
    for (let index = 0; index < span.count; index += 1) this.#attribute(span, index)
    for (let index = 0; index < sums.length; index += 1) {
      const [one, other] = sums[index] as Sum
      this.#integer(span.count + index, (span.numbers[one] as number) + (span.numbers[other] as number))
    }
  }

  #attribute({ codes, values, valueLengths, numbers }: PlainSpan, index: number): void {
    const code = codes[index] as number
    if (code <= lastTextClass) this.#sent(textSlots.attributes + index, values[index] as number, valueLengths[index] as number)
    else if (code === valueCodes.integer) this.#integer(index, numbers[index] as number)
    else if (code === valueCodes.double) this.#made(textSlots.attributes + index, String(numbers[index]))
  }

  #sent(slot: number, start: number, length: number): void {
    this.isMade[slot] = 0
    this.starts[slot] = start
    this.lengths[slot] = length
  }

  #hex(slot: number, from: number, size: number): void {
    const { sent, made } = this
    const start = this.#at
    let at = start
    for (let index = from; index < from + size; index += 1) {
      const byte = sent[index] as number
      made[at++] = hexDigits[byte >> 4] as number
      made[at++] = hexDigits[byte & 15] as number
    }
    this.#end(slot, start, at)
  }

  #time(textSlot: number, slot: number, micros: number): void {
    this.integers[slot] = micros
    const start = this.#at
    const second = Math.floor(micros / 1e6)
    if (second !== this.#second) {
      this.#second = second
      this.#secondText.write(toNaiveText(second * 1e6), 'latin1')
    }
    let at = start + this.#secondText.copy(this.made, start)
    const rest = micros - second * 1e6
    if (rest > 0) {
      this.made[at++] = point
      for (let unit = 1e5; unit >= 1; unit /= 10) this.made[at++] = zero + (Math.floor(rest / unit) % 10)
    }
    this.#end(textSlot, start, at)
  }

  /** `index`: of an attribute, or the number of attributes and the index of a sum. */
  #integer(index: number, value: number): void {
    this.integers[integerSlots.attributes + index] = value
    this.#made(textSlots.attributes + index, String(value))
  }

  #made(slot: number, text: string): void {
    const start = this.#at
    for (let index = 0; index < text.length; index += 1) this.made[start + index] = text.charCodeAt(index)
    this.#end(slot, start, start + text.length)
  }

  #end(slot: number, start: number, end: number): void {
    this.isMade[slot] = 1
    this.starts[slot] = start
    this.lengths[slot] = end - start
    this.#at = end
  }
}

/** Nanoseconds of a span as microseconds, cut off. */
function microsAt(bytes: Buffer, at: number): number {
  const high = bytes.readUInt32LE(at + 4)
  const thousands = Math.floor(high / 1000)
  const rest = (high - thousands * 1000) * two32 + bytes.readUInt32LE(at)
  return thousands * two32 + Math.floor(rest / 1000)
}
