import { parseJson, stringifyJson } from '@heddle/json'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectRefs } from '../../payload/collect-refs.ts'
import { maskSecrets } from '../../payload/mask-secrets.ts'
import { KeyInterner } from './key-interner.ts'
import { isTruthy } from '../map/attributes/look-up.ts'
import type { JsonValue } from '../json-value.ts'
import { createTextBudget, parseAttributeText } from './parse-attribute-text.ts'
import { PlainJsonScanner } from './plain-json-scanner.ts'
import { withLists } from '../map/attributes/with-lists.ts'

const keys = new KeyInterner()

/** In the middle of other bytes, which it must not read. */
function scan(text: string) {
  const before = '["'
  const bytes = Buffer.from(`${before}${text}0"]}]`)
  return new PlainJsonScanner(bytes, keys).scan(before.length, before.length + Buffer.byteLength(text))
}

function isPlainJson(text: string): boolean {
  return scan(text) !== undefined
}

describe('plain', () => {
  test.each([
    '[1]',
    '{"a":1}',
    ' [ 1 , { "a" : null , "b" : [ ] } ] ',
    '[true,false,null,-1.5e+3,0,1.0,12345678901234567890]',
    String.raw`["\n\"\\\/\b\f\r\t\u00e9\\ud800 C:\\Users"]`,
    '{"a":{"x":1},"b":{"x":1}}',
    '{"1":1}',
    '{"__proto__":{"a":1}}',
    '["api_key"]',
    '{"max_tokens":1}',
  ])('%s', (text) => {
    expect(isPlainJson(text)).toBe(true)
  })
})

describe('to be parsed', () => {
  test.each<[string, string]>([
    ['a key that is there twice', '{"a":1,"b":2,"a":3}'],
    ['a key with an escape', String.raw`{"\u0061":1}`],
    ['a key of a credential', '[{"a":{"api_key":"x"}}]'],
    ['an object that reads as a list', '[{"0":"a","1":"b"}]'],
    ['many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, 1])))],
    ['deep nesting', '['.repeat(101) + ']'.repeat(101)],
    ['a nesting that would fill the stack', '['.repeat(1_000_000)],
    ['several lines', '[\n1]'],
    ['a surrogate pair', String.raw`["\ud83d\ude00"]`],
    ['half of a surrogate pair', String.raw`["\ud83d"]`],
    ['the other half', String.raw`["\ude00"]`],
    ['two first halves', String.raw`["\ud83d\ud83d\ude00"]`],
    ['an empty list', '[ ]'],
    ['an empty object', '{}'],
  ])('%s', (_name, text) => {
    expect(isPlainJson(text)).toBe(false)
  })

  test.each([
    '',
    '[',
    '[1',
    '[1,]',
    '[,1]',
    '[1]]',
    '[1] x',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{a:1}',
    "['a']",
    '["a]',
    '["\n"]',
    String.raw`["\x"]`,
    String.raw`["\u12g4"]`,
    String.raw`["\ud83d\u0041"]`,
    '["a\\',
    '[01]',
    '[1.]',
    '[.5]',
    '[+1]',
    '[1e]',
    '[NaN]',
    '[tru]',
    '[nullnull]',
    '[\u00a01]',
  ])('invalid JSON: %j', (text) => {
    expect(isPlainJson(text)).toBe(false)
  })
})

describe('a plain text', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', '0', '1', 'api_key', '__proto__', 'a"b', ''), fc.string({ maxLength: 3 }))
  const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }))
  const sent = fc
    .tuple(anyValue, fc.constantFrom('', ' '))
    .map(([value, space]) => JSON.stringify([value], null, space).replaceAll('\n', ''))
  const broken = fc
    .tuple(sent, fc.nat(), fc.constantFrom('', '"', ',', '\\', '}', ']', '0', '{"a":1,"a":2}', '\\ud800', ' '))
    .map(([text, place, extra]) => {
      const at = place % (text.length + 1)
      // Texts arrive as UTF-8, which has no half pairs.
      return Buffer.from(text.slice(0, at) + extra + text.slice(at + (place % 3))).toString()
    })

  test('is JSON whose value no rule changes, and has each key once', () => {
    fc.assert(
      fc.property(fc.oneof(sent, broken), (text) => {
        if (!isPlainJson(text)) return
        const value = parseJson(text) as JsonValue
        expect(isTruthy(value)).toBe(true)
        expect(withLists(value)).toBe(value)
        expect(maskSecrets(value)).toBe(value)
        expect(inOrder(compact(text))).toBe(inOrder(compact(stringifyJson(value))))
      }),
      { numRuns: trials({ usual: 1_500, long: 50_000 }) },
    )
  })

  /** Writing puts keys that are whole numbers first: where there are such, the order says nothing. */
  function inOrder(text: string): string {
    return /"\d+":/.test(text) ? [...text].sort().join('') : text
  }

  /** Strings in one spelling, no white space between; everything else unchanged. */
  function compact(text: string): string {
    return text.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : ''))
  }
})

describe('the strings of a plain text', () => {
  const ref = 'weave:///acme/demo/object/a:v1'

  test.each<[string, string, { mayHoldRefs: boolean; haveNumberedEscapes: boolean }]>([
    ['plain ones', '{"a":["see weave:///","\\n\\"x\\""]}', { mayHoldRefs: false, haveNumberedEscapes: false }],
    ['a reference', `["${ref}"]`, { mayHoldRefs: true, haveNumberedEscapes: false }],
    ['a reference in a JSON text', JSON.stringify([JSON.stringify([ref])]), { mayHoldRefs: true, haveNumberedEscapes: false }],
    ['a numbered escape', '["\\u00e9"]', { mayHoldRefs: true, haveNumberedEscapes: true }],
  ])('%s', (_name, text, seen) => {
    expect(scan(text)).toEqual(seen)
  })

  test('hold no reference where none was seen', () => {
    const nested = (value: unknown, depth: number): string =>
      depth === 0 ? JSON.stringify(value) : JSON.stringify([nested(value, depth - 1)])
    const value = fc.oneof(fc.constantFrom(ref, `see ${ref}`, 'what', 'What'), fc.string())
    const text = fc.tuple(fc.array(fc.tuple(value, fc.nat(3))), fc.boolean()).map(([values, isNumbered]) => {
      const json = `[${['1', ...values.map(([each, depth]) => nested([each], depth))].join(',')}]`
      return isNumbered ? json.replaceAll(/\\./g, (escape) => (escape === '\\"' ? '\\u0022' : escape)) : json
    })
    fc.assert(
      fc.property(text, (json) => {
        const seen = scan(json)
        if (collectRefs(JSON.parse(json)).length > 0) expect(seen?.mayHoldRefs).toBe(true)
      }),
      { numRuns: trials({ usual: 600, long: 20_000 }) },
    )
  })
})

test.each(['1', '1.0', '"\\u0001"', '{"a":[],"a":1}'])('a text of more than 100,000 values like %s stays text', (value) => {
  const listOf = (count: number) => `[${`${value},`.repeat(count - 1)}${value}]`
  expect(parseAttributeText(listOf(200_001), createTextBudget())).toBe(listOf(200_001))
  expect(parseAttributeText(listOf(10_000), createTextBudget())).not.toBeTypeOf('string')
})
