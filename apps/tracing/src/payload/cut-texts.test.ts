import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, cutTexts } from './cut-texts.ts'

test.each<[string, string, string]>([
  ['a text of the length is whole', '{"a":"abcd"}', '{"a":"abcd"}'],
  ['a longer one is cut, and says so', '{"a":"abcde","b":["fghij",1]}', '{"a":"abcd…","b":["fghi…",1]}'],
  ['keys are whole', '{"a long key" : "x","another":1}', '{"a long key" : "x","another":1}'],
  ['numbers keep their form', '[1.0,12345678901234567890,"abcde"]', '[1.0,12345678901234567890,"abcd…"]'],
  ['escapes are not cut in the middle', String.raw`["abc\"defg","ab\\\\cd\\","abc\u0041e"]`, String.raw`["abc\"…","ab\\\\…","abc\u0041…"]`],
  [
    'code points are counted, however they are written',
    String.raw`["😀😀😀😀😀","\ud83d\ude00😀\uD83D\uDE00ab"]`,
    String.raw`["😀😀😀😀…","\ud83d\ude00😀\uD83D\uDE00a…"]`,
  ],
  [
    'four of them are whole',
    String.raw`["😀😀😀😀","\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00"]`,
    String.raw`["😀😀😀😀","\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00"]`,
  ],
  ['JSON text is cut within', JSON.stringify({ a: '[{"content":"abcdef"}]' }), JSON.stringify({ a: '[{"content":"abcd…"}]' })],
  ['what only begins as JSON is cut', JSON.stringify(['[INFO] "quoted"']), JSON.stringify(['[INF…'])],
  ['an empty value is unchanged', 'null', 'null'],
])('%s', (_, json, expected) => expect(cutTexts(json, 4)).toBe(expected))

test('a plain text is cut in the same way', () => {
  expect([cutText('abcd', 4), cutText('abcde', 4), cutText('😀😀😀😀', 4), cutText('a😀😀😀😀', 4)]).toEqual([
    'abcd',
    'abcd…',
    '😀😀😀😀',
    'a😀😀😀…',
  ])
})

/** A value in which strings that are JSON of a list or an object are what they say. */
function opened(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return openedText(value, depth)
  if (Array.isArray(value)) return value.map((member) => opened(member, depth))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, opened(member, depth)]))
}

function openedText(text: string, depth: number): unknown {
  if (depth === 2 || !/^\s*[[{]/.test(text)) return text
  try {
    return { json: opened(JSON.parse(text), depth + 1) }
  } catch {
    return text
  }
}

function cutOpened(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return [...value].length > maxLength ? `${[...value].slice(0, maxLength).join('')}…` : value
  if (Array.isArray(value)) return value.map((member) => cutOpened(member, maxLength))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutOpened(member, maxLength)]))
}

test('any JSON text is cut as its value would be', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json(), fc.stringMatching(/^["\\ua:[{ ]*$/))
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.constant(null), fc.array(tie('any')), fc.dictionary(fc.string(), tie('any'))),
  })).any
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 20 }), fc.constantFrom(undefined, 1), (given, maxLength, spaces) => {
      const cut = cutTexts(JSON.stringify(given, null, spaces), maxLength)
      expect(opened(JSON.parse(cut))).toEqual(cutOpened(opened(given), maxLength))
    }),
    { numRuns: trials({ usual: 300, long: 20_000 }) },
  )
})
