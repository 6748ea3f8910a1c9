import { JsonText } from '@heddle/core-api/internal'
import { JsonNumber, parseJson } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import { buildIndex, joinIndexes, type RowIndex } from './build-index.ts'

/** Leaves by their paths; the gaps without the mark of indexed raw spans, where they have it. */
function read({ idx, idx_gaps }: RowIndex) {
  const leaves = Array.from({ length: idx.length / 2 }, (_, index) => [idx[2 * index], idx[2 * index + 1]])
  return { idx: Object.fromEntries(leaves) as Record<string, string>, gaps: idx_gaps === '|+|' ? '' : idx_gaps.replace('|+|', '|') }
}
const indexOf = (inputs: unknown) => {
  const { idx, gaps } = read(buildIndex({ inputs }))
  return { idx: Object.fromEntries(Object.entries(idx).map(([path, leaf]) => [path.replace(/^in\./, ''), leaf])), gaps }
}

describe('what the index of a payload holds', () => {
  test.each<[string, unknown, unknown, string]>([
    ['texts as they are', { a: 'x', empty: '' }, { a: 'x', empty: '' }, ''],
    ['numbers as decimal text', { n: 5, f: 3.5, z: 0 }, { n: '5', f: '3.5', z: '0' }, ''],
    ['numbers in their normal form', { n: new JsonNumber('5.0'), e: new JsonNumber('1e3') }, { n: '5', e: '1000' }, ''],
    ['integers beyond 2^53 exactly', { n: new JsonNumber('9007199254740993') }, { n: '9007199254740993' }, ''],
    ['booleans as text', { t: true, f: false }, { t: 'true', f: 'false' }, ''],
    ['nothing for null, and no gap', { a: null }, {}, ''],
    ['nested objects, whose own text is a gap', { user: { tier: 'pro' } }, { 'user.tier': 'pro' }, '|in.user{|'],
    ['empty objects as a gap of their own text', { a: {} }, {}, '|in.a{|'],
    ['lists as gaps', { messages: [1], a: 1 }, { a: '1' }, '|in.messages|'],
    ['texts above 200 characters as gaps', { a: 'x'.repeat(200), b: 'x'.repeat(201) }, { a: 'x'.repeat(200) }, '|in.b|'],
    ['prose above 64 characters as gaps', { a: `a ${'x'.repeat(62)}`, b: `a ${'x'.repeat(63)}` }, { a: `a ${'x'.repeat(62)}` }, '|in.b|'],
    ['numbers whose text is not certain as gaps', { a: 1e21, b: new JsonNumber('-0.0'), c: 1e-7 }, {}, '|in.a|in.b|in.c|'],
    ['half surrogate pairs as gaps', { a: '\ud800' }, {}, '|in.a|'],
    ['keys with other characters escaped', { 'a.b': 1, 'ü|{': 2, '%': 3 }, { 'a%2Eb': '1', '%C3%BC%7C%7B': '2', '%25': '3' }, ''],
    [
      'keys that are not whole text as gaps',
      { '\ud800': 1, '\udc00': { a: 1 }, '\ufffd': 2 },
      { '%EF%BF%BD': '2' },
      '|in.%EF%BF%BD|in.%EF%BF%BD|',
    ],
    ['empty keys as gaps', { '': 1, a: { '': 2 } }, {}, '|in.|in.a.|in.a{|'],
    ['nothing of a payload that is a text', 'plain', {}, ''],
    ['nothing of a payload that is a number', new JsonNumber('5.0'), {}, ''],
    ['a payload that is a list as a gap of all below', [{ a: 1 }], {}, '|in|'],
  ])('%s', (_name, value, idx, gaps) => {
    expect(indexOf(value)).toEqual({ idx, gaps })
  })

  test('objects of more than 64 keys are a gap as a whole', () => {
    const wide = Object.fromEntries(Array.from({ length: 65 }, (_, key) => [`k${key}`, key]))
    expect(indexOf({ wide, a: 1 })).toEqual({ idx: { a: '1' }, gaps: '|in.wide|' })
  })

  test('objects below depth 6 are a gap', () => {
    const deep = { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }
    expect(indexOf(deep).gaps).toBe('|in.a.b.c.d.e.f|in.a.b.c.d.e{|in.a.b.c.d{|in.a.b.c{|in.a.b{|in.a{|')
  })

  test('more than 64 gaps are not listed and nothing is indexed', () => {
    const gaps = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, []]))
    expect(buildIndex({ inputs: gaps(64), output: 1 }).idx_gaps).toMatch(/^\|\+\|in\.k0\|/)
    expect(buildIndex({ inputs: gaps(64), output: [] })).toEqual({ idx: [], idx_gaps: '*' })
  })

  test('gaps of more than 2000 characters are not listed', () => {
    expect(indexOf({ ['x'.repeat(2000)]: [] })).toEqual({ idx: {}, gaps: '*' })
  })

  test('the order of keys does not change the gaps', () => {
    expect(indexOf({ a: [], b: [] }).gaps).toBe(indexOf({ b: [], a: [] }).gaps)
  })
})

test('a raw span among the attributes is a gap of all that is read of raw spans', () => {
  const index = read(buildIndex({ attributes: { otel_span: { a: 1 }, b: 2 }, inputs: { otel_span: 'kept' } }))
  expect(index).toEqual({ idx: { 'attr.b': '2', 'in.otel_span': 'kept' }, gaps: '|res|span|' })
})

describe('what the index of a raw span holds', () => {
  const spanOf = (spanAttributes: unknown) => read(buildIndex({ spanAttributes, resourceAttributes: { service: { name: 's' } } }))
  const resource = { 'res.service.name': 's' }

  test.each<[string, unknown, Record<string, string>, string]>([
    [
      'attributes by their nested names',
      { app: { tenant: 'acme' }, n: 1 },
      { 'span.app.tenant': 'acme', 'span.n': '1' },
      '|res.service{|span.app{|',
    ],
    ['flattened lists as gaps', { a: { '0': { role: 'user' }, '1': { role: 'system' } } }, {}, '|res.service{|span.a|'],
    ['objects that were sent as text as gaps', { a: new JsonText('{"b":1}') }, {}, '|res.service{|span.a|'],
    ['attributes that are not an object as gaps of what lies below', [1], {}, '|res.service{|span|'],
  ])('%s', (_name, value, idx, gaps) => {
    expect(spanOf(value)).toEqual({ idx: { ...idx, ...resource }, gaps })
  })

  test('a span with too many gaps is one as a whole, and costs nothing else its place', () => {
    const gaps = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, []]))
    expect(spanOf({ ...gaps(48), a: 1 }).idx).toEqual({ 'span.a': '1', ...resource })
    expect(spanOf({ ...gaps(49), a: 1 })).toEqual({ idx: resource, gaps: '|res.service{|span|' })
    const inputs = { ...gaps(63), a: 1 }
    expect(buildIndex({ inputs, spanAttributes: gaps(48) }).idx).toEqual(['in.a', '1'])
  })
})

describe('what a raw span shares with the attributes of its call', () => {
  const attributes = { model: 'm-1', model_parameters: { temperature: 0.5 }, operation_name: 'chat' }
  const sent = { response: { model: 'm-1' }, request: { temperature: 0.5 }, operation: { name: 'chat' } }
  const ofCall = { 'attr.model': 'm-1', 'attr.model_parameters.temperature': '0.5', 'attr.operation_name': 'chat' }
  const shared = (call: object, gen_ai: object) => {
    const { idx, gaps } = read(buildIndex({ attributes: call, spanAttributes: { gen_ai, n: 1 } }))
    return { idx, isMarked: gaps.startsWith('|=gen_ai|') }
  }

  test('is held once, under the path of the call', () => {
    expect(shared(attributes, sent)).toEqual({ idx: { ...ofCall, 'span.n': '1' }, isMarked: true })
    expect(shared({}, sent)).toMatchObject({ idx: { 'span.gen_ai.response.model': 'm-1' }, isMarked: false })
  })

  test.each<[string, object, object]>([
    ['has another value at such a path', { ...attributes, model: 'm-2' }, sent],
    ['has a value at such a path that is none of the span', { ...attributes, provider: 'p' }, sent],
    ['has a value of which the span has only a part', attributes, { ...sent, request: {} }],
  ])('is held twice where the call %s', (_name, call, gen_ai) => {
    const { idx, isMarked } = shared(call, gen_ai)
    expect(isMarked).toBe(false)
    expect(idx).toMatchObject({ 'attr.operation_name': 'chat', 'span.gen_ai.operation.name': 'chat' })
  })

  test('costs the other payloads no gap', () => {
    const inputs = Object.fromEntries(Array.from({ length: 64 }, (_, key) => [`k${key}`, []]))
    expect(buildIndex({ inputs, attributes: { model: 'm' }, spanAttributes: { gen_ai: { response: { model: 'm' } } } }).idx).toEqual([
      'attr.model',
      'm',
    ])
  })

  test('is not marked where the span has too many gaps', () => {
    const gaps = Object.fromEntries(Array.from({ length: 49 }, (_, key) => [`k${key}`, []]))
    const index = read(buildIndex({ attributes, spanAttributes: { gen_ai: sent, ...gaps } }))
    expect(index).toEqual({ idx: ofCall, gaps: '|attr.model_parameters{|span|' })
  })
})

test('the indexes of two sets of payloads together are that of all', () => {
  const [one, other] = [{ inputs: { a: [1], b: 2 } }, { output: { c: 3 }, spanAttributes: { app: { d: '4' } } }]
  expect(joinIndexes(buildIndex(one), buildIndex(other))).toEqual(buildIndex({ ...one, ...other }))
})

test('keys that name parts of a prototype are data', () => {
  const inputs = parseJson('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"x":1}},"hasOwnProperty":"h"}')
  const { idx } = buildIndex({ inputs })
  expect(idx).toEqual(['in.__proto__.polluted', 'yes', 'in.constructor.prototype.x', '1', 'in.hasOwnProperty', 'h'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('an object value has one root', () => {
  expect(buildIndex({ val: { a: { b: 1 } } })).toEqual({ idx: ['val.a.b', '1'], idx_gaps: '|+|val.a{|' })
})

test('usage is read from the summary: its keys are the names of models', () => {
  const index = read(buildIndex({ summary: { usage: { 'model-1': { total_tokens: 3 } }, n: 1 } }))
  expect(index).toEqual({ idx: { 'sum.n': '1' }, gaps: '|sum.usage|' })
})

test('places stay the same once the key cache has overflowed', () => {
  const one = { inputs: { kept: { a: '1' } } }
  const first = buildIndex(one)
  for (let key = 0; key < 11_000; key += 50)
    buildIndex({ inputs: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${key + index}`, index])) })
  expect(buildIndex(one)).toEqual(first)
})
