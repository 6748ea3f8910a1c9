/** Field number to name and kind; a nested schema for messages. `[]` after a name marks a repeated field. */
interface Schema {
  readonly [field: number]: readonly [name: string, kind: Kind | (() => Schema)]
}
type Kind = 'text' | 'hex' | 'varint' | 'int64' | 'bool' | 'double' | 'fixed64' | 'fixed32' | 'bytes'

const anyValue: Schema = {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int64'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ({ 1: ['values[]', () => anyValue] })],
  6: ['kvlistValue', () => ({ 1: ['values[]', () => keyValue] })],
  7: ['bytesValue', 'bytes'],
}
const keyValue: Schema = { 1: ['key', 'text'], 2: ['value', () => anyValue] }
const event: Schema = {
  1: ['timeUnixNano', 'fixed64'],
  2: ['name', 'text'],
  3: ['attributes[]', () => keyValue],
  4: ['droppedAttributesCount', 'varint'],
}
const link: Schema = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  3: ['traceState', 'text'],
  4: ['attributes[]', () => keyValue],
  5: ['droppedAttributesCount', 'varint'],
  6: ['flags', 'fixed32'],
}
const span: Schema = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  3: ['traceState', 'text'],
  4: ['parentSpanId', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'varint'],
  7: ['startTimeUnixNano', 'fixed64'],
  8: ['endTimeUnixNano', 'fixed64'],
  9: ['attributes[]', () => keyValue],
  10: ['droppedAttributesCount', 'varint'],
  11: ['events[]', () => event],
  12: ['droppedEventsCount', 'varint'],
  13: ['links[]', () => link],
  14: ['droppedLinksCount', 'varint'],
  15: ['status', () => ({ 2: ['message', 'text'], 3: ['code', 'varint'] })],
  16: ['flags', 'fixed32'],
}
const scope: Schema = {
  1: ['name', 'text'],
  2: ['version', 'text'],
  3: ['attributes[]', () => keyValue],
  4: ['droppedAttributesCount', 'varint'],
}
const request: Schema = {
  1: [
    'resourceSpans[]',
    () => ({
      1: ['resource', () => ({ 1: ['attributes[]', () => keyValue], 2: ['droppedAttributesCount', 'varint'] })],
      2: ['scopeSpans[]', () => ({ 1: ['scope', () => scope], 2: ['spans[]', () => span], 3: ['schemaUrl', 'text'] })],
      3: ['schemaUrl', 'text'],
    }),
  ],
}

export interface DecodedValue {
  stringValue?: string
  boolValue?: boolean
  intValue?: string
  doubleValue?: number
  arrayValue?: { values?: DecodedValue[] }
  kvlistValue?: { values?: DecodedAttribute[] }
  bytesValue?: string
}
export interface DecodedAttribute {
  key: string
  value: DecodedValue
}
export interface DecodedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes?: DecodedAttribute[]
  events?: { name: string; attributes?: DecodedAttribute[] }[]
  links?: { attributes?: DecodedAttribute[] }[]
  status?: { code?: number; message?: string }
}
export interface DecodedRequest {
  resourceSpans?: { resource?: { attributes?: DecodedAttribute[] }; scopeSpans?: { scope?: { name: string }; spans?: DecodedSpan[] }[] }[]
}

/**
 * Reads an `ExportTraceServiceRequest` into the names of OTLP/JSON, strictly: 64-bit integers as text, ids as hexadecimal, bytes as base64.
 * @throws Error on any unexpected byte.
 */
export function decodeOtlp(bytes: Uint8Array): DecodedRequest {
  return decode(Buffer.from(bytes), request) as DecodedRequest
}

/** The spans of a request in either form. */
export function decodedSpans(body: Uint8Array, contentType = 'application/x-protobuf'): DecodedSpan[] {
  const decoded = contentType === 'application/json' ? (JSON.parse(Buffer.from(body).toString()) as DecodedRequest) : decodeOtlp(body)
  return (decoded.resourceSpans ?? []).flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans = [] }) => spans))
}

function decode(bytes: Buffer, schema: Schema): Record<string, unknown> {
  const message: Record<string, unknown> = {}
  let position = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(position++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => {
    if (position + length > bytes.length) throw new Error('a field is longer than its message')
    position += length
    return bytes.subarray(position - length, position)
  }
  while (position < bytes.length) {
    const tag = Number(varint())
    const field = schema[tag >> 3]
    if (field === undefined) throw new Error(`unknown field ${tag >> 3}`)
    const [name, kind] = field
    const wireType = tag & 7
    const raw = wireType === 0 ? varint() : take(wireType === 1 ? 8 : wireType === 5 ? 4 : Number(varint()))
    const value = toValue(raw, kind, wireType)
    if (name.endsWith('[]')) ((message[name.slice(0, -2)] ??= []) as unknown[]).push(value)
    else message[name] = value
  }
  return message
}

const wireTypes = { text: 2, hex: 2, bytes: 2, varint: 0, int64: 0, bool: 0, double: 1, fixed64: 1, fixed32: 5 } as const

function toValue(raw: bigint | Buffer, kind: Kind | (() => Schema), wireType: number): unknown {
  if (wireType !== (typeof kind === 'function' ? 2 : wireTypes[kind])) throw new Error(`wire type ${wireType} for ${String(kind)}`)
  if (typeof raw === 'bigint') return kind === 'bool' ? raw === 1n : kind === 'int64' ? BigInt.asIntN(64, raw).toString() : Number(raw)
  if (typeof kind === 'function') return decode(raw, kind())
  if (kind === 'text') return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
  if (kind === 'double') return raw.readDoubleLE()
  if (kind === 'fixed64') return raw.readBigUInt64LE().toString()
  if (kind === 'fixed32') return raw.readUInt32LE()
  return raw.toString(kind === 'hex' ? 'hex' : 'base64')
}
