import { JsonNumber, parseJson } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import { DecodeError } from './decode-error.ts'
import { decodeJson } from './decode-json.ts'

const decode = (text: string) => decodeJson(text, parseJson)
const span = (text: string) => decode(`{"resourceSpans":[{"scopeSpans":[{"spans":[${text}]}]}]}`).resources[0]?.scopes[0]?.spans[0]
const value = (text: string) => span(`{"attributes":[{"key":"k","value":${text}}]}`)?.attributes[0]?.[1]

describe('values', () => {
  test.each<[string, string, unknown]>([
    ['text', '{"stringValue":"a"}', 'a'],
    ['boolean', '{"boolValue":true}', true],
    ['integer as text', '{"intValue":"42"}', 42],
    ['integer as number', '{"intValue":42}', 42],
    ['large integer as text', '{"intValue":"9007199254740993"}', new JsonNumber('9007199254740993')],
    ['large integer as number', '{"intValue":9007199254740993}', new JsonNumber('9007199254740993')],
    ['negative integer', '{"intValue":"-9223372036854775808"}', new JsonNumber('-9223372036854775808')],
    ['double', '{"doubleValue":0.5}', 0.5],
    ['double that keeps its form', '{"doubleValue":1.0}', new JsonNumber('1.0')],
    ['double as text', '{"doubleValue":"0.5"}', 0.5],
    ['NaN', '{"doubleValue":"NaN"}', 'nan'],
    ['infinity', '{"doubleValue":"-Infinity"}', '-inf'],
    ['list', '{"arrayValue":{"values":[{"intValue":1},{}]}}', [1, null]],
    ['empty list', '{"arrayValue":{}}', []],
    ['object', '{"kvlistValue":{"values":[{"key":"a","value":{"boolValue":false}}]}}', { a: false }],
    ['bytes', '{"bytesValue":"AAE="}', 'AAE='],
    ['bytes in the other alphabet', '{"bytesValue":"-_8"}', '+/8='],
    ['snake case', '{"string_value":"a"}', 'a'],
    ['snake case list', '{"array_value":{"values":[{"int_value":"1"}]}}', [1]],
    ['nothing', '{}', null],
    ['null', 'null', null],
    ['an unknown kind', '{"otherValue":1}', null],
  ])('%s', (_name, text, expected) => {
    expect(value(text)).toEqual(expected)
  })

  test('a value nested more than a hundred levels deep is refused', () => {
    const deep = (levels: number) => '{"arrayValue":{"values":['.repeat(levels) + '{}' + ']}}'.repeat(levels)
    expect(() => decodeJson(`{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":${deep(101)}}]}}]}`, JSON.parse)).toThrow(
      DecodeError,
    )
    expect(
      decodeJson(`{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":${deep(100)}}]}}]}`, JSON.parse).resources,
    ).toHaveLength(1)
  })

  test('members of objects are own members whatever their name', () => {
    expect(Object.keys(value('{"kvlistValue":{"values":[{"key":"__proto__","value":{"intValue":1}}]}}') as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['intValue']).toBeUndefined()
  })
})

describe('spans', () => {
  test('snake case names are read like camel case ones', () => {
    const snake = `{"resource_spans":[{"resource":{"dropped_attributes_count":2},"scope_spans":[{"scope":{"name":"s"},"spans":[
      {"trace_id":"AB","span_id":"CD","parent_span_id":"EF","trace_state":"t","start_time_unix_nano":"1","end_time_unix_nano":2,
       "events":[{"time_unix_nano":"3","name":"e","dropped_attributes_count":1}],"links":[{"trace_id":"AA","span_id":"BB","flags":257}]}]}]}]}`
    const [group] = decode(snake).resources
    expect(group?.resource?.droppedAttributesCount).toBe(2)
    expect(group?.scopes[0]?.scope).toEqual({ name: 's', version: '' })
    expect(group?.scopes[0]?.spans[0]).toMatchObject({
      traceId: 'ab',
      spanId: 'cd',
      parentSpanId: 'ef',
      traceState: 't',
      startNs: 1n,
      endNs: 2n,
      events: [{ name: 'e', timeNs: 3n, droppedAttributesCount: 1 }],
      links: [{ traceId: 'aa', spanId: 'bb', flags: 257 }],
    })
  })

  test('times beyond 2^53 are exact as text and as number', () => {
    expect(span('{"startTimeUnixNano":"1767225600123456789","endTimeUnixNano":1767225600123456789}')).toMatchObject({
      startNs: 1767225600123456789n,
      endNs: 1767225600123456789n,
    })
  })

  test.each<[string, string, number]>([
    ['number', '3', 3],
    ['name', '"SPAN_KIND_CLIENT"', 3],
    ['short name', '"CLIENT"', 3],
    ['number as text', '"3"', 3],
    ['unknown name', '"SPAN_KIND_X"', -1],
    ['null', 'null', 0],
  ])('kind as %s', (_name, text, kind) => {
    expect(span(`{"kind":${text}}`)?.kind).toBe(kind)
  })

  test('status codes are read as number or name', () => {
    expect(span('{"status":{"code":"STATUS_CODE_ERROR","message":"m"}}')).toMatchObject({ statusCode: 2, statusMessage: 'm' })
    expect(span('{"status":{"code":1}}')?.statusCode).toBe(1)
  })

  test('unknown keys are ignored', () => {
    expect(span('{"name":"n","__proto__":{"kind":3},"other":[1]}')).toMatchObject({ name: 'n', kind: 0 })
  })
})

describe('malformed requests', () => {
  test('bytes that are not UTF-8 are refused', () => {
    expect(decodeJson(Buffer.from('{"resourceSpans":[]}'), parseJson).resources).toEqual([])
    expect(() => decodeJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), parseJson)).toThrow(/not valid UTF-8/)
  })

  test.each<[string, string, string]>([
    ['no object', '[]', 'the export request must be an object, not a list'],
    ['resourceSpans no list', '{"resourceSpans":{}}', 'resourceSpans must be a list, not an object'],
    ['a span no object', '{"resourceSpans":[{"scopeSpans":[{"spans":["x"]}]}]}', 'spans must be an object, not "x"'],
    [
      'a time no integer',
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":"soon"}]}]}]}',
      'startTimeUnixNano must be an integer, not "soon"',
    ],
    ['a value no object', '{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":"x"}]}}]}', 'value must be an object, not "x"'],
    [
      'an integer no integer',
      '{"resourceSpans":[{"resource":{"attributes":[{"value":{"intValue":1.5}}]}}]}',
      'intValue must be an integer, not 1.5',
    ],
    [
      'a double no number',
      '{"resourceSpans":[{"resource":{"attributes":[{"value":{"doubleValue":"x"}}]}}]}',
      'doubleValue must be a number, not "x"',
    ],
  ])('%s is refused by name', (_name, text, message) => {
    expect(() => decode(text)).toThrow(DecodeError)
    expect(() => decode(text)).toThrow(message)
  })
})
