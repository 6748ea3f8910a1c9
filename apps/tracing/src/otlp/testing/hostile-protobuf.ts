import fc from 'fast-check'
import { changed, grammarOf, hostileText, invalidUtf8, joined, truncated, type Piece } from './hostile-piece.ts'

/** Every way in which the bytes of a hostile export request leave the path of a good one, and the good parts around it. */
export const protobufGrammar = grammarOf([
  'request',
  'resource spans',
  'resource',
  'scope spans',
  'scope',
  'span',
  'event',
  'link',
  'status',
  'attribute',
  'any value',
  'list',
  'object',
  'deep list',
  'deep object',
  'text',
  'invalid UTF-8',
  'id',
  'id of a wrong length',
  'time',
  'integer',
  'overlong integer',
  'integer of eleven bytes',
  'double',
  'unknown field',
  'field of another wire type',
  'field number zero',
  'field number of 29 bits',
  'tag beyond 32 bits',
  'group',
  'group without an end',
  'end without a group',
  'wire type 6 or 7',
  'length that is too long',
  'length that is too short',
  'huge length',
  'negative length',
  'truncated',
  'repeated',
  'many empty parts',
])
const { rule } = protobufGrammar

const varint = (value: bigint): Buffer => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}
const tag = (field: number, type: number): Buffer => varint(BigInt(field) * 8n + BigInt(type))
const delimited = (field: number, content: Buffer, length = BigInt(content.length)): Buffer =>
  Buffer.concat([tag(field, 2), varint(length), content])
const within = (field: number, content: fc.Arbitrary<Piece>): fc.Arbitrary<Piece> =>
  content.map((piece) => changed(piece, (bytes) => delimited(field, bytes)))

const anyField = fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 16, 100)
const wholeNumber = fc.constantFrom(0n, 1n, 2n, 127n, 128n, 2n ** 31n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n)
const someBytes = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes))

const integerBytes = fc.oneof(
  rule('integer', wholeNumber.map(varint)),
  rule(
    'overlong integer',
    fc.integer({ min: 1, max: 8 }).map((zeros) => Buffer.from([0x81, ...Array<number>(zeros).fill(0x80), 0])),
  ),
  rule('integer of eleven bytes', fc.constant(Buffer.from([...Array<number>(10).fill(0xff), 1]))),
)
const eightBytes = fc.oneof(
  rule(
    'time',
    fc.constantFrom(0n, 1n, 1_772_409_600_000_000_000n, 2n ** 63n, 2n ** 64n - 1n).map((nanoseconds) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(nanoseconds)
      return bytes
    }),
  ),
  rule(
    'double',
    fc.constantFrom(0, -0, 0.1, 1e308, 5e-324, Number.NaN, Infinity, -Infinity).map((value) => {
      const bytes = Buffer.alloc(8)
      bytes.writeDoubleLE(value)
      return bytes
    }),
  ),
)
const textBytes = fc.oneof(
  {
    weight: 4,
    arbitrary: rule(
      'text',
      hostileText.map((text) => Buffer.from(text)),
    ),
  },
  {
    weight: 1,
    arbitrary: rule(
      'invalid UTF-8',
      invalidUtf8.map((bytes) => Buffer.from(bytes)),
    ),
  },
)
const idBytes = fc.oneof(
  {
    weight: 5,
    arbitrary: rule(
      'id',
      fc.tuple(fc.constantFrom(8, 16), fc.nat(255)).map(([length, fill]) => Buffer.alloc(length, fill)),
    ),
  },
  { weight: 1, arbitrary: rule('id of a wrong length', someBytes) },
)

/** A field that stands anywhere and should harm nothing beyond its message. */
const hostileField: fc.Arbitrary<Piece> = fc.oneof(
  rule(
    'unknown field',
    fc.tuple(fc.integer({ min: 17, max: 5_000 }), someBytes).map(([field, bytes]) => delimited(field, bytes)),
  ),
  rule(
    'field of another wire type',
    fc
      .tuple(anyField, fc.constantFrom(0, 1, 2, 5))
      .map(([field, type]) => Buffer.concat([tag(field, type), type === 1 ? Buffer.alloc(8, 1) : Buffer.from([3, 1, 1, 1])])),
  ),
  rule(
    'field number zero',
    fc.constantFrom(0, 1, 2, 5).map((type) => Buffer.from([type, 1])),
  ),
  rule('field number of 29 bits', fc.constant(Buffer.concat([tag(2 ** 29 - 1, 0), varint(1n)]))),
  rule('tag beyond 32 bits', fc.constant(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1]))),
  rule(
    'group',
    fc.tuple(anyField, someBytes).map(([field, bytes]) => Buffer.concat([tag(field, 3), delimited(1, bytes), tag(field, 4)])),
  ),
  rule(
    'group without an end',
    anyField.map((field) => tag(field, 3)),
  ),
  rule(
    'end without a group',
    anyField.map((field) => tag(field, 4)),
  ),
  rule(
    'wire type 6 or 7',
    fc.tuple(anyField, fc.constantFrom(6, 7)).map(([field, type]) => tag(field, type)),
  ),
  rule(
    'length that is too long',
    fc
      .tuple(anyField, someBytes, fc.integer({ min: 1, max: 300 }))
      .map(([field, bytes, more]) => delimited(field, bytes, BigInt(bytes.length + more))),
  ),
  rule(
    'length that is too short',
    fc.tuple(anyField, fc.constant(Buffer.from('abcdef'))).map(([field, bytes]) => delimited(field, bytes, 2n)),
  ),
  rule(
    'huge length',
    fc
      .tuple(anyField, fc.constantFrom(2n ** 31n - 1n, 2n ** 32n, 2n ** 53n))
      .map(([field, length]) => delimited(field, Buffer.alloc(2), length)),
  ),
  rule(
    'negative length',
    anyField.map((field) => delimited(field, Buffer.alloc(2), -1n)),
  ),
)

/** The parts of a message, most of them good. */
function message(parts: readonly fc.Arbitrary<Piece>[], maxLength = 8): fc.Arbitrary<Piece> {
  const good = parts.map((arbitrary) => ({ weight: 5, arbitrary }))
  return fc.array(fc.oneof(...good, { weight: 1, arbitrary: hostileField }), { maxLength, size: 'max' }).map((pieces) => joined(pieces))
}

const numberField = (field: number) => integerBytes.map((piece) => changed(piece, (bytes) => Buffer.concat([tag(field, 0), bytes])))
const eightField = (field: number) => eightBytes.map((piece) => changed(piece, (bytes) => Buffer.concat([tag(field, 1), bytes])))
const nested = (levels: number, step: (inner: Buffer) => Buffer): Buffer => {
  let bytes: Buffer = Buffer.from([0x18, 1])
  for (let level = 0; level < levels; level += 1) bytes = step(bytes)
  return bytes
}
const depths = [2, 50, 99, 100, 101, 500, 2_000]
const deepLists = depths.map((levels) => nested(levels, (inner) => delimited(5, delimited(1, inner))))
const deepObjects = depths.map((levels) => nested(levels, (inner) => delimited(6, delimited(1, delimited(2, inner)))))
const emptyParts = [0x12, 0x4a, 0x5a, 0x6a, 0x0a].map((start) =>
  delimited(1, delimited(2, delimited(2, Buffer.alloc(30_000, Buffer.from([start, 0]))))),
)

const { attribute } = fc.letrec<{ value: Piece; attribute: Piece }>((tie) => ({
  value: rule(
    'any value',
    fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(within(1, textBytes), numberField(2), numberField(3), eightField(4), within(7, textBytes)),
      rule('deep list', fc.constantFrom(...deepLists)),
      rule('deep object', fc.constantFrom(...deepObjects)),
      within(5, rule('list', message([within(1, tie('value'))], 4))),
      within(6, rule('object', message([within(1, tie('attribute'))], 4))),
      hostileField,
    ),
  ),
  attribute: rule('attribute', message([within(1, textBytes), within(2, tie('value'))], 4)),
}))

const event = rule('event', message([eightField(1), within(2, textBytes), within(3, attribute), numberField(4)]))
const link = rule('link', message([within(1, idBytes), within(2, idBytes), within(3, textBytes), within(4, attribute), numberField(6)]))
const status = rule('status', message([within(2, textBytes), numberField(3)], 3))
const spanParts = [
  within(1, idBytes),
  within(2, idBytes),
  within(3, textBytes),
  within(4, idBytes),
  within(5, textBytes),
  numberField(6),
  eightField(7),
  eightField(8),
  within(9, attribute),
  within(9, attribute),
  within(11, event),
  within(13, link),
  within(15, status),
]
/** With ids, so that what else is in it is looked at. */
const span = rule(
  'span',
  fc
    .tuple(fc.uint8Array({ minLength: 24, maxLength: 24 }), message(spanParts, 14))
    .map(([id, rest]) =>
      changed(rest, (bytes) =>
        Buffer.concat([delimited(1, Buffer.from(id.subarray(8))), delimited(2, Buffer.from(id.subarray(0, 8))), bytes]),
      ),
    ),
)
const scopeSpans = rule(
  'scope spans',
  message([within(1, rule('scope', message([within(1, textBytes), within(2, textBytes)], 3))), within(2, span), within(2, span)], 5),
)
const resourceSpans = rule(
  'resource spans',
  message(
    [within(1, rule('resource', message([within(1, attribute), numberField(2)], 4))), within(2, scopeSpans), within(2, scopeSpans)],
    4,
  ),
)
const whole = rule('request', message([within(1, resourceSpans)], 3))

/** The bytes of a hostile OTLP export request in protobuf. */
export const hostileProtobuf: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 12, arbitrary: whole },
  {
    weight: 1,
    arbitrary: rule('truncated', truncated(whole)),
  },
  {
    weight: 1,
    arbitrary: rule(
      'repeated',
      fc
        .tuple(whole, fc.integer({ min: 2, max: 5 }))
        .map(([piece, times]) => changed(piece, (bytes) => Buffer.concat(Array<Buffer>(times).fill(bytes)))),
    ),
  },
  { weight: 1, arbitrary: rule('many empty parts', fc.constantFrom(...emptyParts)) },
)
