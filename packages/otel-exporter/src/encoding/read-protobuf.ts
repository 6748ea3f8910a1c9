import { type Bytes, concatBytes } from './concat-bytes.ts'
import { ProtobufWriter } from './protobuf-writer.ts'
import type { PartialSuccess } from './span-encoding.ts'

/** A field of a message. */
export interface ProtobufField {
  number: number
  /** Bytes of a length-delimited field; a number otherwise. */
  value: Uint8Array | number
  /** With tag and length, as encoded in the message. */
  raw: Uint8Array
}

/** The fields up to the first that cannot be read. */
export function readFields(bytes: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = []
  let position = 0
  while (position < bytes.length) {
    const tag = readVarint(bytes, position)
    if (tag === undefined) return fields
    const field = readValue(bytes, tag.next, tag.value % 8)
    if (field === undefined) return fields
    fields.push({ number: Math.floor(tag.value / 8), value: field.value, raw: bytes.subarray(position, field.next) })
    position = field.next
  }
  return fields
}

function readValue(bytes: Uint8Array, position: number, wireType: number): { value: Uint8Array | number; next: number } | undefined {
  if (wireType === 0) return readVarint(bytes, position)
  if (wireType === 1) return position + 8 <= bytes.length ? { value: 0, next: position + 8 } : undefined
  if (wireType === 5) return position + 4 <= bytes.length ? { value: 0, next: position + 4 } : undefined
  const length = wireType === 2 ? readVarint(bytes, position) : undefined
  if (length === undefined || length.next + length.value > bytes.length) return undefined
  const next = length.next + length.value
  return { value: bytes.subarray(length.next, next), next }
}

function readVarint(bytes: Uint8Array, position: number): { value: number; next: number } | undefined {
  let value = 0
  for (let at = 0; at < 10; at++) {
    const byte = bytes[position + at]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) return { value, next: position + at + 1 }
  }
  return undefined
}

/** Reads an `ExportTraceServiceResponse`. Undefined when it has no partial success, or is not such a response. */
export function parseProtobufAnswer(body: Uint8Array): PartialSuccess | undefined {
  const partial = readFields(body).find(({ number }) => number === 1)?.value
  if (!(partial instanceof Uint8Array)) return undefined
  const fields = readFields(partial)
  const rejected = fields.findLast(({ number }) => number === 1)?.value
  const message = fields.findLast(({ number }) => number === 2)?.value
  const rejectedSpans = typeof rejected === 'number' ? rejected : 0
  const errorMessage = message instanceof Uint8Array ? new TextDecoder().decode(message) : ''
  return rejectedSpans > 0 || errorMessage !== '' ? { rejectedSpans, errorMessage } : undefined
}

// Field numbers on the path from a request to its spans.
const resourceSpansField = 1
const scopeSpansField = 2
const spansField = 2

/** Called for each span of a request, in order: true to keep it. */
type Choice = () => boolean

/** The older and the newer half of the spans of a request, each as a request; undefined when there is but one, or it cannot be read. */
export function splitProtobufRequest(body: Uint8Array): [Bytes, Bytes] | undefined {
  const count = countSpans(body)
  if (count < 2) return undefined
  const half = count >> 1
  return [selectSpans(body, (index) => index < half), selectSpans(body, (index) => index >= half)]
}

function countSpans(body: Uint8Array): number {
  let count = 0
  selectSpans(body, () => {
    count++
    return false
  })
  return count
}

function selectSpans(body: Uint8Array, isWanted: (index: number) => boolean): Bytes {
  let index = 0
  const choose = () => isWanted(index++)
  return concatBytes(rebuild(body, [resourceSpansField, scopeSpansField, spansField], choose))
}

/** The fields of a message, with only the kept spans below; messages that become empty are omitted. */
function rebuild(message: Uint8Array, [field = 0, ...below]: readonly number[], choose: Choice): Uint8Array[] {
  return readFields(message).flatMap(({ number, value, raw }) => {
    if (number !== field || !(value instanceof Uint8Array)) return [raw]
    if (below.length === 0) return choose() ? [raw] : []
    const inner = rebuild(value, below, choose)
    return hasField(inner, below[0] ?? 0) ? [asField(number, concatBytes(inner))] : []
  })
}

function hasField(fields: readonly Uint8Array[], wanted: number): boolean {
  return fields.some(([tag = 0]) => tag >> 3 === wanted)
}

function asField(number: number, message: Bytes): Bytes {
  const writer = new ProtobufWriter()
  writer.bytes(number * 8 + 2, message)
  return writer.take()
}
