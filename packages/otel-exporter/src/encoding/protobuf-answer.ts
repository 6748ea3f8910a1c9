import type { PartialSuccess } from './span-encoding.ts'

interface Field {
  number: number
  /** Bytes of a length-delimited field; a number otherwise. */
  value: Uint8Array | number
}

/** Reads an `ExportTraceServiceResponse`. Undefined when it holds no partial success or is none. */
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

/** The fields up to the first that cannot be read. */
function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let position = 0
  while (position < bytes.length) {
    const tag = readVarint(bytes, position)
    if (tag === undefined) return fields
    const field = readValue(bytes, tag.next, tag.value % 8)
    if (field === undefined) return fields
    fields.push({ number: Math.floor(tag.value / 8), value: field.value })
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
