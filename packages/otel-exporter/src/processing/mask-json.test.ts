import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskJson } from './mask-json.ts'
import { textMasks } from './mask-patterns.ts'

const runs = { numRuns: trials({ usual: 200, long: 5000 }), seed: 20_261_103 }

test('any JSON stays what it was, byte for byte, when nothing is masked', () => {
  fc.assert(
    fc.property(fc.oneof(fc.object(), fc.array(fc.anything())), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const json = JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member), indent)
      expect(maskJson(json, (text) => text)).toBe(json)
    }),
    runs,
  )
})

test('any JSON stays JSON when every text in it is masked, also by quotes and braces', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), fc.string(), (value, replacement) => {
      const masked = maskJson(JSON.stringify(value), (text) => (/^-?[\d.e+-]+$/.test(text) ? text : replacement)) ?? ''
      expect(shapeOf(JSON.parse(masked))).toEqual(shapeOf(value))
    }),
    runs,
  )
})

/** Lists and their lengths, all the way down. Members whose masked names are equal fall together when they are read. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  return typeof value === 'object' && value !== null ? 'object' : 'plain'
}

test.each([
  ['exact numbers stay', '{"a":1.0,"b":12345678901234567890,"c":"x@y.zz"}', '{"a":1.0,"b":12345678901234567890,"c":"[email]"}'],
  ['names are masked too', '{"x@y.zz":1}', '{"[email]":1}'],
  ['JSON in JSON is masked and stays JSON', '{"arguments":"{\\"to\\":\\"x@y.zz\\"}"}', '{"arguments":"{\\"to\\":\\"[email]\\"}"}'],
  ['escapes are seen through', '["x\\u0040y.zz"]', '["[email]"]'],
  ['space stays', ' [ "x@y.zz" ] ', ' [ "[email]" ] '],
])('%s', (_, json, expected) => {
  expect(maskJson(json, textMasks.emails)).toBe(expected)
})

test('a number that a mask changes becomes a text', () => {
  expect(maskJson('{"card":4111111111111111,"n":7}', textMasks.cards)).toBe('{"card":"[card]","n":7}')
})

test('a mask is called with the path', () => {
  const paths: string[] = []
  maskJson('{"a":[{"b":"x"}],"c":"y"}', (text, path) => (paths.push(`${path.join('.')}=${text}`), text))
  expect(paths).toContain('a.0.b=x')
  expect(paths).toContain('c=y')
})

test.each(['plain', '', '[not json', '"text"', '{"a":}'])('%j is not the JSON of an object or a list', (text) => {
  expect(maskJson(text, (inner) => inner)).toBeUndefined()
})

test('patterns stay fast on hostile texts', () => {
  const texts = [
    'a'.repeat(50_000),
    '@'.repeat(50_000),
    '1'.repeat(50_000),
    '1.'.repeat(25_000),
    'a@a.'.repeat(12_500),
    '1 '.repeat(25_000),
    ':'.repeat(50_000),
    'eyJ'.repeat(16_000),
  ]
  for (const text of texts) for (const mask of Object.values(textMasks)) expect(mask(text).length).toBeLessThanOrEqual(text.length + 10)
})
