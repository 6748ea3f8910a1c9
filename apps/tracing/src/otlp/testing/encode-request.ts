type Json = Record<string, unknown>

/** Encodes the `resourceSpans` of OTLP/JSON (camel case, times and integers as text, numbers of enumerations) as protobuf. For tests: plain rather than fast. */
export function encodeRequest(resourceSpans: Json[]): Uint8Array {
  return Buffer.concat(resourceSpans.map((each) => message(1, resourceSpansMessage(each))))
}

function resourceSpansMessage(each: Json): Buffer {
  return Buffer.concat([
    ...optional(each['resource'], (resource) =>
      message(1, Buffer.concat([...attributes(1, resource), count(2, resource['droppedAttributesCount'])])),
    ),
    ...list(each['scopeSpans']).map((scope) => message(2, scopeSpansMessage(scope))),
  ])
}

function scopeSpansMessage(each: Json): Buffer {
  return Buffer.concat([
    ...optional(each['scope'], (scope) => message(1, Buffer.concat([text(1, scope['name']), text(2, scope['version'])]))),
    ...list(each['spans']).map((span) => message(2, spanMessage(span))),
  ])
}

function spanMessage(span: Json): Buffer {
  return Buffer.concat([
    hex(1, span['traceId']),
    hex(2, span['spanId']),
    text(3, span['traceState']),
    hex(4, span['parentSpanId']),
    text(5, span['name']),
    count(6, span['kind']),
    fixed64(7, span['startTimeUnixNano']),
    fixed64(8, span['endTimeUnixNano']),
    ...attributes(9, span),
    ...list(span['events']).map((event) => message(11, eventMessage(event))),
    ...list(span['links']).map((link) => message(13, linkMessage(link))),
    ...optional(span['status'], (status) => message(15, Buffer.concat([text(2, status['message']), count(3, status['code'])]))),
  ])
}

function eventMessage(event: Json): Buffer {
  return Buffer.concat([
    fixed64(1, event['timeUnixNano']),
    text(2, event['name']),
    ...attributes(3, event),
    count(4, event['droppedAttributesCount']),
  ])
}

function linkMessage(link: Json): Buffer {
  return Buffer.concat([hex(1, link['traceId']), hex(2, link['spanId']), text(3, link['traceState']), ...attributes(4, link)])
}

function attributes(field: number, owner: Json): Buffer[] {
  return list(owner['attributes']).map((attribute) => message(field, keyValue(attribute)))
}

function keyValue(attribute: Json): Buffer {
  return Buffer.concat([text(1, attribute['key']), ...optional(attribute['value'], (value) => message(2, anyValue(value)))])
}

function anyValue(value: Json): Buffer {
  const [kind, content] = Object.entries(value)[0] ?? []
  switch (kind) {
    case 'stringValue':
      return bytes(1, Buffer.from(String(content)))
    case 'boolValue':
      return Buffer.concat([tag(2, 0), varint(content === true ? 1n : 0n)])
    case 'intValue':
      return Buffer.concat([tag(3, 0), varint(BigInt.asUintN(64, BigInt(content as string)))])
    case 'doubleValue':
      return Buffer.concat([tag(4, 1), double(Number(content))])
    case 'arrayValue':
      return message(5, Buffer.concat(list((content as Json)['values']).map((element) => message(1, anyValue(element)))))
    case 'kvlistValue':
      return message(6, Buffer.concat(list((content as Json)['values']).map((member) => message(1, keyValue(member)))))
    case 'bytesValue':
      return bytes(7, Buffer.from(String(content), 'base64'))
    case undefined:
      return Buffer.alloc(0)
    default:
      throw new Error(`the test encoder knows no value of kind "${kind}"`)
  }
}

const list = (value: unknown): Json[] => (value ?? []) as Json[]
const optional = (value: unknown, encode: (value: Json) => Buffer): Buffer[] => (value === undefined ? [] : [encode(value as Json)])
const tag = (field: number, type: number): Buffer => varint(BigInt(field * 8 + type))
const bytes = (field: number, content: Buffer): Buffer => Buffer.concat([tag(field, 2), varint(BigInt(content.length)), content])
const message = bytes
const text = (field: number, value: unknown): Buffer => (value === undefined ? Buffer.alloc(0) : bytes(field, Buffer.from(String(value))))
const hex = (field: number, value: unknown): Buffer =>
  value === undefined ? Buffer.alloc(0) : bytes(field, Buffer.from(String(value), 'hex'))
const count = (field: number, value: unknown): Buffer =>
  value === undefined ? Buffer.alloc(0) : Buffer.concat([tag(field, 0), varint(BigInt(value as number))])

function fixed64(field: number, value: unknown): Buffer {
  const content = Buffer.alloc(8)
  content.writeBigUInt64LE(BigInt((value ?? '0') as string))
  return Buffer.concat([tag(field, 1), content])
}

function double(value: number): Buffer {
  const content = Buffer.alloc(8)
  content.writeDoubleLE(value)
  return content
}

function varint(value: bigint): Buffer {
  const out: number[] = []
  let rest = value
  while (rest >= 0x80n) {
    out.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  out.push(Number(rest))
  return Buffer.from(out)
}
