/** A field of a message. */
export interface ProtobufField {
  number: number
  /** Bytes of a length-delimited field; a number otherwise. */
  value: Uint8Array | number
  /** With tag and length, as it stands in the message. */
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
