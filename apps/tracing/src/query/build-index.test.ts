import { JsonNumber, parseJson } from '@heddle/service-kit/json'
import { describe, expect, test } from 'vitest'
import { buildIndex } from './build-index.ts'

const indexOf = (inputs: unknown) => {
  const { idx, idx_gaps } = buildIndex({ inputs })
  return { idx: (JSON.parse(idx) as { in?: unknown }).in, idx_gaps }
}

describe('what the index of a payload holds', () => {
  test.each<[string, unknown, unknown, string]>([
    ['texts as they are', { a: 'x', empty: '' }, { a: 'x', empty: '' }, ''],
    ['numbers as decimal text', { n: 5, f: 3.5, z: 0 }, { n: '5', f: '3.5', z: '0' }, ''],
    ['numbers in their normal form', { n: new JsonNumber('5.0'), e: new JsonNumber('1e3') }, { n: '5', e: '1000' }, ''],
    ['integers beyond 2^53 exactly', { n: new JsonNumber('9007199254740993') }, { n: '9007199254740993' }, ''],
    ['booleans as text', { t: true, f: false }, { t: 'true', f: 'false' }, ''],
    ['nothing for null, and no gap', { a: null }, {}, ''],
    ['nested objects, whose own text is a gap', { user: { tier: 'pro' } }, { user: { tier: 'pro' } }, '|in.user{|'],
    ['empty objects as a gap of their own text', { a: {} }, {}, '|in.a{|'],
    ['lists as gaps', { messages: [1], a: 1 }, { a: '1' }, '|in.messages|'],
    ['texts above 200 characters as gaps', { a: 'x'.repeat(200), b: 'x'.repeat(201) }, { a: 'x'.repeat(200) }, '|in.b|'],
    ['numbers whose text is not certain as gaps', { a: 1e21, b: new JsonNumber('-0.0'), c: 1e-7 }, {}, '|in.a|in.b|in.c|'],
    ['half surrogate pairs as gaps', { a: '\ud800' }, {}, '|in.a|'],
    ['keys with other characters escaped', { 'a.b': 1, 'ü|{': 2, '%': 3 }, { 'a%2Eb': '1', '%C3%BC%7C%7B': '2', '%25': '3' }, ''],
    ['empty keys as gaps', { '': 1, a: { '': 2 } }, {}, '|in.|in.a.|in.a{|'],
    ['nothing of a payload that is a text', 'plain', {}, ''],
    ['nothing of a payload that is a number', new JsonNumber('5.0'), {}, ''],
    ['a payload that is a list as a gap of all below', [{ a: 1 }], {}, '|in|'],
  ])('%s', (_name, value, idx, idx_gaps) => {
    expect(indexOf(value)).toEqual({ idx, idx_gaps })
  })

  test('objects of more than 64 keys are a gap as a whole', () => {
    const wide = Object.fromEntries(Array.from({ length: 65 }, (_, key) => [`k${key}`, key]))
    expect(indexOf({ wide, a: 1 })).toEqual({ idx: { a: '1' }, idx_gaps: '|in.wide|' })
  })

  test('objects below depth 6 are a gap', () => {
    const deep = { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }
    const { idx_gaps } = indexOf(deep)
    expect(idx_gaps).toBe('|in.a.b.c.d.e.f|in.a.b.c.d.e{|in.a.b.c.d{|in.a.b.c{|in.a.b{|in.a{|')
  })

  test('more than 64 gaps are not listed and nothing is indexed', () => {
    const gaps = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, []]))
    expect(buildIndex({ inputs: gaps(64), output: 1 }).idx_gaps).toMatch(/^\|in\.k0\|/)
    expect(buildIndex({ inputs: gaps(64), output: [] })).toEqual({ idx: '{}', idx_gaps: '*' })
  })

  test('gaps of more than 2000 characters are not listed', () => {
    expect(indexOf({ ['x'.repeat(2000)]: [] })).toEqual({ idx: undefined, idx_gaps: '*' })
  })

  test('the order of keys does not change the gaps', () => {
    expect(indexOf({ a: [], b: [] }).idx_gaps).toBe(indexOf({ b: [], a: [] }).idx_gaps)
  })
})

test('the raw span among the attributes is left out without a gap', () => {
  const { idx, idx_gaps } = buildIndex({ attributes: { otel_span: { a: 1 }, b: 2 }, inputs: { otel_span: 'kept' } })
  expect({ idx: JSON.parse(idx), idx_gaps }).toEqual({ idx: { attr: { b: '2' }, in: { otel_span: 'kept' } }, idx_gaps: '' })
})

test('keys that name parts of a prototype are data', () => {
  const inputs = parseJson('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"x":1}},"hasOwnProperty":"h"}')
  const { idx } = buildIndex({ inputs })
  expect(idx).toBe('{"in":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"x":"1"}},"hasOwnProperty":"h"}}')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

test('an object value has one root', () => {
  expect(buildIndex({ val: { a: { b: 1 } } })).toEqual({ idx: '{"val":{"a":{"b":"1"}}}', idx_gaps: '|val.a{|' })
})

test('usage is read from the summary: its keys are the names of models', () => {
  const { idx, idx_gaps } = buildIndex({ summary: { usage: { 'model-1': { total_tokens: 3 } }, n: 1 } })
  expect({ idx: JSON.parse(idx) as unknown, idx_gaps }).toEqual({ idx: { sum: { n: '1' } }, idx_gaps: '|sum.usage|' })
})
