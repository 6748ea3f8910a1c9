import { readFileSync } from 'node:fs'
import { JsonNumber, parseJson, stringifyJson } from '@heddle/json'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { isApiError } from '@heddle/core-api'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DecodeError } from './decode-error.ts'
import { decodeJson } from './decode-json.ts'
import { decodeProtobuf } from './decode-protobuf.ts'
import { mapRequest } from '../map/map-request.ts'
import { rawSpanText } from '../testing/raw-span-text.ts'
import { encodeRequest } from '../testing/encode-request.ts'
import { withTexts } from '../testing/with-texts.ts'

const mutatedMessages = trials({ usual: 500, long: 20_000 })

const message = (field: number, ...content: (number | Uint8Array)[]): Uint8Array => {
  const body = Buffer.concat(content.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)))
  return Buffer.concat([Buffer.from([field * 8 + 2]), lengthOf(body.length), body])
}
const lengthOf = (length: number): Buffer => {
  const bytes: number[] = []
  for (let rest = length; ; rest >>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
const spanWith = (...content: (number | Uint8Array)[]) => message(1, message(2, message(2, ...content)))
const attribute = (value: Uint8Array) => spanWith(message(9, message(1, Buffer.from('k')), message(2, value)))
const decodeSpan = (bytes: Uint8Array) => decodeProtobuf(bytes).resources[0]?.scopes[0]?.spans[0]
const valueOf = (bytes: Uint8Array) => decodeSpan(attribute(bytes))?.attributes[0]?.[1]
const failureOf = (bytes: Uint8Array) => {
  try {
    decodeProtobuf(bytes)
  } catch (error) {
    return error instanceof DecodeError ? error.failure : error
  }
  return undefined
}

describe('values', () => {
  test.each<[string, number[], unknown]>([
    ['text', [0x0a, 1, 0x61], 'a'],
    ['empty text', [0x0a, 0], ''],
    ['true', [0x10, 1], true],
    ['false', [0x10, 0], false],
    ['small integer', [0x18, 5], 5],
    ['minus one', [0x18, ...Array<number>(9).fill(0xff), 1], -1],
    ['2^53 - 1', [0x18, ...Array<number>(7).fill(0xff), 0x0f], Number.MAX_SAFE_INTEGER],
    ['2^53 + 1', [0x18, 0x81, ...Array<number>(6).fill(0x80), 0x10], new JsonNumber('9007199254740993')],
    ['-2^63', [0x18, ...Array<number>(9).fill(0x80), 1], new JsonNumber('-9223372036854775808')],
    ['double', [0x21, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f], 0.5],
    ['NaN', [0x21, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f], 'nan'],
    ['infinity', [0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f], 'inf'],
    ['minus infinity', [0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0xff], '-inf'],
    ['bytes', [0x3a, 2, 1, 2], 'AQI='],
    ['list', [0x2a, 6, 0x0a, 2, 0x18, 1, 0x0a, 0], [1, null]],
    ['nothing', [], null],
    ['the last of two kinds', [0x18, 1, 0x10, 1], true],
  ])('%s', (_name, bytes, value) => {
    expect(valueOf(Buffer.from(bytes))).toEqual(value)
  })

  test('members of objects are own members whatever their name', () => {
    const value = valueOf(message(6, message(1, message(1, Buffer.from('__proto__')), message(2, 0x18, 1)))) as object
    expect(Object.keys(value)).toEqual(['__proto__'])
  })

  test('lists and objects nest a hundred levels deep and no deeper', () => {
    const nest = (levels: number) => {
      let value: Uint8Array = Buffer.from([0x18, 1])
      for (let level = 0; level < levels; level += 1)
        value = level % 2 ? message(5, message(1, value)) : message(6, message(1, message(2, value)))
      return attribute(value)
    }
    expect(failureOf(nest(100))).toBeUndefined()
    expect(failureOf(nest(101))).toBe('too_deep')
    expect(failureOf(nest(1000))).toBe('too_deep')
  })

  test('invalid UTF-8 is replaced and counted, a sent U+FFFD is not', () => {
    const invalid = decodeProtobuf(spanWith(message(5, Buffer.from([0x61, 0xff, 0xc3])), message(3, Buffer.from('\ufffd'))))
    expect(invalid.resources[0]?.scopes[0]?.spans[0]).toMatchObject({ name: 'a\ufffd\ufffd', traceState: '\ufffd' })
    expect(invalid.replacedTexts).toBe(1)
    const invalidKey = Buffer.from([0xf0, 0x9f, 0x92])
    expect(decodeProtobuf(Buffer.concat([spanWith(message(5, invalidKey)), spanWith(message(5, invalidKey))])).replacedTexts).toBe(2)
  })
})

describe('unusual but valid messages', () => {
  test('an empty request has no resources', () => {
    expect(decodeProtobuf(new Uint8Array())).toEqual({ resources: [], replacedTexts: 0 })
  })
  test('unknown fields of every wire type are passed over', () => {
    const unknown = [0xa0, 0x06, 1, 0xa1, 0x06, ...Array<number>(8).fill(9), 0xa2, 0x06, 2, 1, 1, 0xa5, 0x06, 1, 2, 3, 4]
    expect(decodeSpan(spanWith(Buffer.from(unknown), message(5, Buffer.from('n'))))?.name).toBe('n')
  })
  test('a known field of another wire type is passed over', () => {
    expect(decodeSpan(spanWith(0x28, 7, message(6, Buffer.from('x'))))).toMatchObject({ name: '', kind: 0 })
  })
  test('a resource after its spans is still theirs, and repeated resources join', () => {
    const keyed = (key: string) => message(1, message(1, message(1, Buffer.from(key))))
    const [first] = decodeProtobuf(message(1, message(2, message(2)), keyed('a'), keyed('b'))).resources
    expect(first?.resource?.attributes).toEqual([
      ['a', null],
      ['b', null],
    ])
  })
  test('a view into a larger buffer is read within its bounds', () => {
    const padded = Buffer.concat([Buffer.from([1, 2, 3]), spanWith(message(5, Buffer.from('n'))), Buffer.from([9])])
    expect(decodeSpan(padded.subarray(3, -1))?.name).toBe('n')
  })
  test('an overlong length is read when it has at most ten bytes', () => {
    expect(decodeSpan(spanWith(0x2a, 0x81, 0x80, 0x80, 0x00, 0x6e))?.name).toBe('n')
  })
})

describe('malformed messages', () => {
  test.each<[string, Uint8Array]>([
    ['a truncated tag', Buffer.from([0x8a])],
    ['a length without content', Buffer.from([0x0a])],
    ['a length beyond the end', Buffer.from([0x0a, 5, 1])],
    ['a huge length', Buffer.from([0x0a, ...Array<number>(9).fill(0xff), 1])],
    ['an integer of eleven bytes', spanWith(0x30, ...Array<number>(10).fill(0x80), 0)],
    ['field number zero', Buffer.from([0x00, 1])],
    ['a tag beyond 32 bits', Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 1])],
    ['a group', Buffer.from([0x0b, 0x0c])],
    ['the end of a group', Buffer.from([0x0c])],
    ['wire type 6', Buffer.from([0x0e, 0])],
    ['wire type 7', Buffer.from([0x0f, 0])],
    ['a truncated time', spanWith(0x39, 1, 2, 3)],
    ['a member that is longer than its message', Buffer.concat([spanWith(0x2a, 9, 1), Buffer.alloc(20, 1)])],
  ])('%s is refused with its place', (_name, bytes) => {
    expect(failureOf(bytes)).toBe('malformed')
    expect(() => decodeProtobuf(bytes)).toThrow(/at byte \d+ of the export request/)
  })

  test('a request of empty spans cannot fill the memory', () => {
    const empty = Buffer.alloc(2_000_000, Buffer.from([0x12, 0]))
    expect(failureOf(message(1, message(2, empty)))).toBe('too_many')
  })
  test('a request of empty attributes cannot fill the memory', () => {
    expect(failureOf(spanWith(Buffer.alloc(2_000_000, Buffer.from([0x4a, 0]))))).toBe('too_many')
  })
  test('a list of empty values cannot fill the memory', () => {
    const listOf = (elements: Buffer) => spanWith(message(9, message(2, message(5, elements))))
    expect(failureOf(listOf(Buffer.alloc(200_000, Buffer.from([0x0a, 0]))))).toBe('too_many')
    expect(failureOf(listOf(Buffer.alloc(200_000, Buffer.from([0x0a, 2, 0x10, 1]))))).toBeUndefined()
  })
  test('a request of any size has at most two million attributes and values', () => {
    const attribute = message(9, message(2, Buffer.from([0x10, 1])))
    const attributes = (count: number) => spanWith(Buffer.alloc(count * attribute.length, attribute))
    expect(failureOf(attributes(2_000_000))).toBeUndefined()
    expect(failureOf(attributes(2_000_001))).toBe('too_many')
  })
})

describe('spans of the official serializer', () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 }))
  const number = fc.oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((n) => n + 0.5 - (n % 1)),
  )
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.boolean(),
    number.filter((n) => !Object.is(n, -0)),
  )
  const attributes = fc.dictionary(fc.string(), fc.oneof(scalar, fc.array(fc.string()), fc.array(fc.integer()), fc.array(fc.boolean())), {
    maxKeys: 8,
  })
  const id = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => Buffer.from(each).toString('hex'))
  const context = fc.record({ traceId: id(16), spanId: id(8), traceFlags: fc.constantFrom(0, 1) })
  const span = fc.record({
    name: fc.string({ unit: 'grapheme' }),
    kind: fc.integer({ min: 0, max: 4 }),
    context,
    parent: fc.option(context, { nil: undefined }),
    startTime: time,
    endTime: time,
    status: fc.record({ code: fc.integer({ min: 0, max: 2 }), message: fc.string() }),
    attributes,
    links: fc.array(fc.record({ context, attributes }), { maxLength: 2 }),
    events: fc.array(fc.record({ name: fc.string(), time, attributes }), { maxLength: 3 }),
  })
  const scope = { name: 'test', version: '1' }

  test('protobuf and JSON of any spans decode to the same, and to what was recorded', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), attributes, (spans, resourceAttributes) => {
        const resource = resourceFromAttributes(resourceAttributes)
        const readable = spans.map(({ context: own, parent, ...rest }) => ({
          ...rest,
          spanContext: () => own,
          parentSpanContext: parent,
          resource,
          instrumentationScope: scope,
          duration: [0, 0],
          ended: true,
          droppedAttributesCount: 0,
          droppedEventsCount: 0,
          droppedLinksCount: 0,
        })) as unknown as ReadableSpan[]
        const protobuf = withTexts(decodeProtobuf(ProtobufTraceSerializer.serializeRequest(readable) as Uint8Array))
        const json = decodeJson(Buffer.from(JsonTraceSerializer.serializeRequest(readable) as Uint8Array).toString(), parseJson)
        expect(protobuf).toEqual(json)
        const decoded = protobuf.resources.flatMap(({ scopes }) => scopes.flatMap((each) => each.spans))
        expect(decoded.map(({ name, spanId, startNs }) => ({ name, spanId, startNs }))).toEqual(
          spans.map(({ name, context: own, startTime }) => ({
            name,
            spanId: own.spanId,
            startNs: BigInt(startTime[0]) * 1_000_000_000n + BigInt(startTime[1]),
          })),
        )
        for (const [index, each] of decoded.entries()) {
          expect(each.attributes).toEqual(Object.entries(spans[index]?.attributes ?? {}))
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('mutated messages', () => {
  const file = new URL('../../vectors/otel-vectors.json', import.meta.url)
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: { resourceSpans: Record<string, unknown>[] }[] }
  const corpus = vectors.map(({ resourceSpans }) => encodeRequest(resourceSpans))
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  const bytes = fc.oneof(
    fc.constantFrom([0xff, 0xff, 0xff, 0xff, 0x0f], Array<number>(12).fill(0x80), [0x0b], [0x0c], [0x2a, 0], [0x00], [0x4a, 0xff, 0x7f]),
    fc.array(fc.nat(255), { minLength: 1, maxLength: 6 }),
  )
  const mutation = fc.record({ kind: fc.constantFrom('set', 'insert', 'remove', 'truncate', 'repeat'), place, bytes })

  function mutate(message: Uint8Array, { kind, place: where, bytes: extra }: { kind: string; place: number; bytes: number[] }): Uint8Array {
    const at = Math.floor(where * message.length)
    const before = message.subarray(0, at)
    switch (kind) {
      case 'set':
        return Buffer.concat([before, Buffer.from(extra), message.subarray(at + extra.length)])
      case 'insert':
        return Buffer.concat([before, Buffer.from(extra), message.subarray(at)])
      case 'remove':
        return Buffer.concat([before, message.subarray(at + extra.length)])
      case 'truncate':
        return before
      default:
        return Buffer.concat([message, message.subarray(at)])
    }
  }

  test('give spans or a DecodeError, and such spans are mapped or refused', () => {
    fc.assert(
      fc.property(fc.nat(corpus.length - 1), fc.array(mutation, { minLength: 1, maxLength: 5 }), (index, mutations) => {
        const bytesOfRun = mutations.reduce(mutate, corpus[index] as Uint8Array)
        try {
          const mapped = mapRequest(
            decodeProtobuf(bytesOfRun),
            { project: undefined, run: undefined },
            { conflicts: 'keep', maskSecrets: true },
          )
          for (const call of mapped.calls)
            JSON.parse(`[${stringifyJson([call.inputs, call.output, call.attributes])},${rawSpanText(call)}]`)
        } catch (error) {
          if (!(error instanceof DecodeError) && !isApiError(error)) throw error
        }
      }),
      { numRuns: mutatedMessages },
    )
  })
})
