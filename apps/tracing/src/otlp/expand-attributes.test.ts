import { parseJson, stringifyJson } from '@heddle/json'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DecodeError } from './decode/decode-error.ts'
import { AttributeConflict, createExpansion, expandAttributes } from './expand-attributes.ts'
import type { JsonValue } from './json-value.ts'
import type { Attributes } from './span.ts'
import { withLists } from './map/attributes/with-lists.ts'

const expand = (attributes: Attributes, rule: 'keep' | 'reject' = 'reject') =>
  JSON.parse(stringifyJson(expandAttributes(attributes, rule, createExpansion()))) as unknown
const listed = (attributes: Attributes) =>
  JSON.parse(stringifyJson(withLists(expandAttributes(attributes, 'reject', createExpansion())))) as unknown

describe('values', () => {
  test.each<[string, JsonValue, string]>([
    ['a text that begins with [ is JSON', '[1,{"a":null}]', '[1,{"a":null}]'],
    ['a text that begins with { is JSON', '{"a":1}', '{"a":1}'],
    ['JSON text that no rule changes keeps its form', '[1, {"a": 1.0}]', '[1, {"a": 1.0}]'],
    ['of equal keys in JSON text the last stays', '{"a": 1, "a": 2}', '{"a":2}'],
    ['numbers in JSON text keep their form', '{"a":1.0,"b":9007199254740993}', '{"a":1.0,"b":9007199254740993}'],
    ['broken JSON stays text', '{not json', '"{not json"'],
    ['NaN is not JSON', '{"x": NaN}', '"{\\"x\\": NaN}"'],
    ['a quoted JSON text keeps its quotes', '"LLM"', '"\\"LLM\\""'],
    ['a leading space is not trimmed', ' [1]', '" [1]"'],
    ['texts inside lists are not parsed', ['{"a":1}'], '["{\\"a\\":1}"]'],
    ['an attribute without value is null', null, 'null'],
  ])('%s', (_name, value, text) => {
    expect(stringifyJson(expandAttributes([['k', value]], 'reject', createExpansion())['k'])).toBe(text)
  })

  test('JSON text nested more than 200 levels deep stays text', () => {
    const deep = '['.repeat(201) + ']'.repeat(201)
    const deepest = '['.repeat(200) + ']'.repeat(200)
    expect(expandAttributes([['k', deep]], 'keep', createExpansion())['k']).toBe(deep)
    expect(Array.isArray(expandAttributes([['k', deepest]], 'keep', createExpansion())['k'])).toBe(true)
    expect(expandAttributes([['k', '['.repeat(1_000_000)]], 'keep', createExpansion())['k']).toHaveLength(1_000_000)
  })
})

describe('nesting and merging', () => {
  test.each<[string, Attributes, unknown]>([
    ['keys are split at dots', [['llm.token_count.prompt', 5]], { llm: { token_count: { prompt: 5 } } }],
    ['number segments are keys', [['a.0', 'x']], { a: { 0: 'x' } }],
    [
      'of the same key twice the later value stays',
      [
        ['a', 1],
        ['a', 2],
      ],
      { a: 2 },
    ],
    [
      'of the same list twice the later value stays',
      [
        ['a', '[1,2]'],
        ['a', '[3]'],
      ],
      { a: [3] },
    ],
    [
      'objects merge deeply and the later leaf wins',
      [
        ['a', '{"x":{"y":1,"z":2}}'],
        ['a', '{"x":{"y":3}}'],
      ],
      { a: { x: { y: 3, z: 2 } } },
    ],
    [
      'an object replaces an earlier plain value of its key',
      [
        ['a', 1],
        ['a', '{"b":2}'],
      ],
      { a: { b: 2 } },
    ],
    [
      'a list replaces an earlier plain value of its key',
      [
        ['a', 1],
        ['a', '[2]'],
      ],
      { a: [2] },
    ],
    [
      'a plain value replaces an earlier JSON object of its key',
      [
        ['a', '{"b":2}'],
        ['a', 1],
      ],
      { a: 1 },
    ],
    [
      'a null is not a conflict',
      [
        ['a', null],
        ['a.b', 1],
      ],
      { a: { b: 1 } },
    ],
    ['an empty key is a key', [['', 1]], { '': 1 }],
    ['empty segments are keys', [['a..b', 1]], { a: { '': { b: 1 } } }],
  ])('%s', (_name, attributes, expected) => {
    expect(expand(attributes)).toEqual(expected)
  })

  test.each<[string, Attributes, unknown]>([
    [
      'a list and later numbered keys merge by index',
      [
        ['c', '[{"r":"a","c":"x"}]'],
        ['c.0.c', 'b'],
        ['c.1.r', 't'],
      ],
      { c: [{ r: 'a', c: 'b' }, { r: 't' }] },
    ],
    [
      'numbered keys and a later list merge by index, in inner lists too',
      [
        ['c.0.c', 'b'],
        ['c.0.t.1.id', 't1'],
        ['c', '[{"r":"a","c":"x","t":[{"id":"t0"}]}]'],
      ],
      { c: [{ c: 'x', t: [{ id: 't0' }, { id: 't1' }], r: 'a' }] },
    ],
    [
      'an object with a gap in its numbers stays an object',
      [
        ['a.0', 1],
        ['a.2', 2],
      ],
      { a: { 0: 1, 2: 2 } },
    ],
    ['an empty object stays one', [['a', '{"b":{},"c":[]}']], { a: { b: {}, c: [] } }],
    ['objects with number keys become lists inside lists', [['a', '[{"0":{"0":1}}]']], { a: [[[1]]] }],
    ['numbers beside names stay keys', [['a', '{"0":1,"x":2}']], { a: { 0: 1, x: 2 } }],
    ['leading zeros make no list', [['a', '{"00":1}']], { a: { '00': 1 } }],
  ])('%s', (_name, attributes, expected) => {
    expect(listed(attributes)).toEqual(expected)
  })

  test('the root of all attributes is an object whatever its keys', () => {
    expect(expand([['0', 'x']])).toEqual({ 0: 'x' })
  })

  test('parts of a key beyond the hundredth stay dotted', () => {
    const text = stringifyJson(expandAttributes([[Array.from({ length: 50_000 }, () => 'a').join('.'), 1]], 'keep', createExpansion()))
    expect(text.split('{"').length - 1).toBe(100)
  })
})

describe('conflicts', () => {
  const cases: [string, Attributes, unknown, string][] = [
    [
      'a deeper name below a plain value',
      [
        ['db.system', 'pg'],
        ['db.system.name', 'x'],
      ],
      { db: { system: 'pg', 'system.name': 'x' } },
      'db.system.name',
    ],
    [
      'a plain value over deeper names',
      [
        ['a.b', 1],
        ['a', true],
      ],
      { a: true, 'a.b': 1 },
      'a',
    ],
    [
      'a name below a list',
      [
        ['a', '[1]'],
        ['a.x.y', 2],
      ],
      { a: [1], 'a.x.y': 2 },
      'a.x.y',
    ],
    [
      'at the root',
      [
        ['a', 1],
        ['a.b', 2],
      ],
      { a: 1, 'a.b': 2 },
      'a.b',
    ],
  ]
  test.each(cases)('keep: %s is kept beside', (_name, attributes, kept) => {
    expect(expand(attributes, 'keep')).toEqual(kept)
  })
  test.each(cases)('reject: %s is an error that names the path', (_name, attributes, _kept, path) => {
    expect(() => expandAttributes(attributes, 'reject', createExpansion())).toThrow(AttributeConflict)
    expect(() => expandAttributes(attributes, 'reject', createExpansion())).toThrow(`"${path}"`)
  })
})

describe('strange names', () => {
  const segment = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', 'b', '0', '1', '', 'length')
  const key = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
  const value = fc.oneof(
    fc.constantFrom(
      'x',
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '[{"a":1},2]',
      '{"a":{"b":[1]}}',
      '[',
      '{}',
    ),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  )
  const attributes = fc.array(fc.tuple(key, value), { maxLength: 12 })

  test('no prototype changes, whatever the keys', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).concat(Object.getOwnPropertyNames(Array.prototype)).join()
    fc.assert(
      fc.property(attributes, (sent) => {
        const expanded = expandAttributes(sent, 'keep', createExpansion())
        stringifyJson(withLists(expanded))
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
        expect(Object.getPrototypeOf(Object.getPrototypeOf(expanded) as object)).toBeNull()
      }),
      { numRuns: trials({ usual: 1_000, long: 30_000 }) },
    )
    expect(Object.getOwnPropertyNames(Object.prototype).concat(Object.getOwnPropertyNames(Array.prototype)).join()).toBe(before)
  })

  test('with distinct keys, also below one another, the order does not matter', () => {
    const plain = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-c](?:\.[a-c]){0,4}$/), fc.oneof(fc.integer(), fc.constant(null))), {
      selector: ([name]) => name,
      maxLength: 10,
    })
    const orders = plain.chain((sent) => fc.tuple(fc.constant(sent), fc.shuffledSubarray(sent, { minLength: sent.length })))
    fc.assert(
      fc.property(orders, ([sent, other]) => {
        expect(expand(sent, 'keep')).toEqual(expand(other, 'keep'))
      }),
      { numRuns: trials({ usual: 1_000, long: 30_000 }) },
    )
  })

  test('sent values are never changed by merging', () => {
    const shared = parseJson('{"a":{"b":[1]}}') as JsonValue
    expandAttributes(
      [
        ['x', shared],
        ['x.a.b.1', 2],
        ['x.c', 3],
      ],
      'keep',
      createExpansion(),
    )
    expect(stringifyJson(shared)).toBe('{"a":{"b":[1]}}')
  })

  test('time grows with the size, not with its square', () => {
    const many: Attributes = Array.from({ length: 30_000 }, (_, index) => [`a.${index}`, index] as const)
    for (let index = 0; index < 10_000; index += 1) many.push(['a', '[1]'], ['a.x', index])
    expect(Object.keys(expandAttributes(many, 'keep', createExpansion())['a'] as object)).toHaveLength(30_001)
  })
})

describe('JSON texts of a request', () => {
  /** Not plain, so it has to be parsed: a key stands twice. */
  const text = `[{"a":1,"a":2}${',1'.repeat(90_000)}]`

  test('together have at most 2,000,000 values that must be parsed', () => {
    const expansion = createExpansion()
    const expand = () => expandAttributes([['k', text]], 'keep', expansion)
    for (let texts = 0; texts < 22; texts++) expect(Array.isArray(expand()['k'])).toBe(true)
    expect(expand).toThrow(DecodeError)
    expect(Array.isArray(expandAttributes([['k', text]], 'keep', createExpansion())['k'])).toBe(true)
  })

  test('that are plain are not counted', () => {
    const expansion = createExpansion()
    const plain = '{"a":"b","c":[1,2]}'
    for (let texts = 0; texts < 100; texts++) expandAttributes([['k', plain]], 'keep', expansion)
    expect(expansion.texts).toEqual(createExpansion().texts)
  })
})
