import { trials } from '@heddle/testing'
import type { Attributes, SpanContext, TraceState } from '@opentelemetry/api'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aResource, aScope, aSpan } from '../testing/a-span.ts'
import { decodeOtlp, decodedSpans, type DecodedValue } from '../testing/decode-otlp.ts'
import { concatBytes } from './concat-bytes.ts'
import { createProtobufEncoding } from './protobuf-encoding.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.tuple(fc.constantFrom('a', 'ü', '世', '🌍', '"\\\n'), fc.integer({ min: 0, max: 20_000 })).map(([unit, count]) => unit.repeat(count)),
)
// The official encoder writes integers beyond 2^53 wrongly or not at all; they have a table of their own below.
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true, maxExcluded: true, max: 2 ** 53, min: -(2 ** 53) }),
)
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constantFrom(null, undefined),
    fc.uint8Array({ maxLength: 40 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 10 }), tie('value'), { maxKeys: 4 }),
  ),
})).value
const key = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  text.filter((name) => name !== '' && name.length < 300),
)
const attributes = fc.dictionary(key, value, { maxKeys: 6, noNullPrototype: true }) as fc.Arbitrary<Attributes>
const time = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 }))
const id = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 255 }), { minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString('hex'))
const context: fc.Arbitrary<SpanContext> = fc
  .record({
    traceId: id(16),
    spanId: id(8),
    traceFlags: fc.constantFrom(0, 1, 3),
    isRemote: fc.boolean(),
  })
  .chain((plain) => fc.constantFrom(plain, { ...plain, traceState: { serialize: () => 'a=1,b=2' } as TraceState }))
const count = fc.constantFrom(0, 1, 300)
const span: fc.Arbitrary<ReadableSpan> = fc
  .record({
    name: text,
    kind: fc.integer({ min: 0, max: 4 }),
    context,
    parentSpanContext: fc.option(context, { nil: undefined }),
    startTime: time,
    endTime: time,
    status: fc.record({ code: fc.integer({ min: 0, max: 2 }), message: fc.option(text, { nil: undefined }) }),
    attributes,
    events: fc.array(
      fc.record({ name: text, time, attributes: fc.option(attributes, { nil: undefined }), droppedAttributesCount: count }),
      { maxLength: 3 },
    ),
    links: fc.array(fc.record({ context, attributes: fc.option(attributes, { nil: undefined }), droppedAttributesCount: count }), {
      maxLength: 3,
    }),
    droppedAttributesCount: count,
    droppedEventsCount: count,
    droppedLinksCount: count,
    resource: fc.constantFrom(aResource, { ...aResource, schemaUrl: 'https://schema.test/1' }),
    instrumentationScope: fc.constantFrom(aScope, { name: 'bare' }, { name: 'other', version: '2', schemaUrl: 'https://schema.test/2' }),
  })
  .map(({ context, ...fields }) => aSpan({ ...(fields as unknown as Partial<ReadableSpan>), spanContext: () => context }))
const spans = fc.array(span, { minLength: 1, maxLength: 5 })

const runs = { numRuns: trials({ usual: 60, long: 2000 }), seed: 20_261_101 }

const encoding = createProtobufEncoding()

function request(spans: readonly ReadableSpan[]): Uint8Array {
  const encoded = spans.map((span) => ({ bytes: encoding.encodeSpan(span), resource: span.resource, scope: span.instrumentationScope }))
  return concatBytes(encoding.joinRequest(encoded))
}

/** What OTLP leaves open: members that have their default or are absent. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const kept = canonical(member)
    // The official encoder repeats the schema of a resource inside it, where OTLP has no such member.
    const misplaced = key === 'schemaUrl' && 'attributes' in value
    const isDefault = misplaced || kept === undefined || kept === 0 || kept === '' || (Array.isArray(kept) && kept.length === 0)
    return isDefault && !key.endsWith('Value') ? [] : [[key, kept]]
  })
  return Object.fromEntries(entries)
}

test('protobuf says what the official encoder says, for any span', () => {
  fc.assert(
    fc.property(spans, (spans) => {
      expect(canonical(decodeOtlp(request(spans)))).toEqual(
        canonical(decodeOtlp(ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array())),
      )
    }),
    runs,
  )
})

const throwing = {
  get boom(): string {
    throw new Error('no')
  },
}
const circular: Record<string, unknown> = { name: 'a' }
circular['self'] = circular
let deep: unknown = 'bottom'
for (let level = 0; level < 50; level++) deep = [deep]
const huge = { list: Array.from({ length: 200_000 }, () => ({})) }

function encodedValue(value: unknown): DecodedValue {
  const [decoded] = decodedSpans(request([aSpan({ attributes: { before: 1, value, after: 2 } as Attributes })]))
  expect(decoded?.attributes?.map(({ key }) => key)).toEqual(['before', 'value', 'after'])
  return decoded?.attributes?.[1]?.value ?? {}
}

test.each<[string, unknown, DecodedValue]>([
  ['-0', -0, { intValue: '0' }],
  ['the smallest 64-bit integer', -(2 ** 63), { intValue: '-9223372036854775808' }],
  ['an integer above 2^53', 2 ** 60, { intValue: '1152921504606846976' }],
  ['an integer above 64 bits', 1e300, { doubleValue: 1e300 }],
  ['a bigint', 12_345_678_901_234_567_890n, { stringValue: '12345678901234567890' }],
  ['a bigint of 64 bits', -5n, { intValue: '-5' }],
  ['half a surrogate pair', 'a\ud800b', { stringValue: 'a\uFFFDb' }],
  ['half a surrogate pair in a long text', `${'a'.repeat(200)}\udc00`, { stringValue: `${'a'.repeat(200)}\uFFFD` }],
  ['a symbol', Symbol('x'), {}],
  ['a function', () => 1, {}],
  ['a getter that throws', throwing, { stringValue: '[unreadable]' }],
  [
    'a proxy that throws',
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    ),
    { stringValue: '[unreadable]' },
  ],
  [
    'a circle',
    circular,
    {
      kvlistValue: {
        values: [
          { key: 'name', value: { stringValue: 'a' } },
          { key: 'self', value: { stringValue: '[circular]' } },
        ],
      },
    },
  ],
])('%s travels', (_, value, expected) => {
  expect(encodedValue(value)).toEqual(expected)
})

test.each<[string, unknown, string]>([
  ['nested deeper than 32 levels', deep, '[too deep]'],
  ['with more than 100,000 values', huge, '[too many values]'],
])('a value %s is cut there', (_, value, mark) => {
  expect(JSON.stringify(encodedValue(value))).toContain(mark)
})

test('not-a-number and infinities travel as doubles', () => {
  const doubles = [Number.NaN, Infinity, -Infinity].map((value) => Number(encodedValue(value).doubleValue))
  expect(doubles).toEqual([Number.NaN, Infinity, -Infinity])
})

test('a span after one that cannot be read is whole', () => {
  expect(() => encoding.encodeSpan({ ...aSpan(), events: [null as never] })).toThrow()
  expect(decodedSpans(request([aSpan({ name: 'next' })]))).toMatchObject([{ name: 'next' }])
})

test('the halves of a request hold its spans in their order, with their resources and scopes', () => {
  const spansWithOrigin = (body: Uint8Array) =>
    decodeOtlp(body).resourceSpans?.flatMap(({ scopeSpans = [], ...resource }) =>
      scopeSpans.flatMap(({ spans = [], ...scope }) => spans.map((span) => ({ resource, scope, span }))),
    )
  fc.assert(
    fc.property(spans, (spans) => {
      const whole = concatBytes([request(spans)])
      const halves = encoding.splitRequest(whole)
      if (spans.length === 1) {
        expect(halves).toBeUndefined()
        return
      }
      const [older = [], newer = []] = (halves ?? []).map(spansWithOrigin)
      expect([...older, ...newer]).toEqual(spansWithOrigin(whole))
      expect(older).toHaveLength(spans.length >> 1)
    }),
    runs,
  )
})

test('a text of 2 MB travels whole', () => {
  const value = 'ü'.repeat(1_000_000)
  expect(encodedValue(value).stringValue === value).toBe(true)
})

test('a response reports how many spans were rejected, and why', () => {
  const body = Uint8Array.from([0x0a, 0x07, 0x08, 0x03, 0x12, 0x03, 0x62, 0x61, 0x64])
  expect(encoding.parseAnswer(body)).toEqual({ rejectedSpans: 3, errorMessage: 'bad' })
  expect(Number(ProtobufTraceSerializer.deserializeResponse(body)?.partialSuccess?.rejectedSpans)).toBe(3)
})

test('any bytes can be parsed as a response, and split into halves, without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(encoding.parseAnswer(bytes)?.rejectedSpans ?? 0).toBeGreaterThanOrEqual(0)
      expect(() => encoding.splitRequest(concatBytes([bytes]))).not.toThrow()
    }),
    runs,
  )
})
