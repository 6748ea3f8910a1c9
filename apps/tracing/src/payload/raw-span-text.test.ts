import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillRawSpan, rawSpanMarkers, sourceWithoutMarkers, withoutMarkers } from './raw-span-text.ts'

const { inputs, output, attributes } = rawSpanMarkers

test.each([
  ['the value of the first member', `{"a":${inputs}}`, { inputs: '{"gen_ai.prompt":["x"]}' }, '{"a":["x"]}'],
  ['what follows the first key of several', `{"a":{"x":${inputs}}}`, { inputs: '{"x":1,"y":2}' }, '{"a":{"x":1,"y":2}}'],
  ['an output that is a bare text', `{"a":${output}}`, { output: '"answer"' }, '{"a":"answer"}'],
  ['an output that is a list', `{"a":${output}}`, { output: '[1, 2]' }, '{"a":[1, 2]}'],
  [
    'all attributes',
    `{"attributes":${attributes},"events":[]}`,
    { attributes: '{"a":{"b":1}}' },
    '{"attributes":{"a":{"b":1}},"events":[]}',
  ],
])('a marker stands for %s', (_name, stored, texts, whole) => {
  expect(fillRawSpan(stored, { inputs: '{}', output: 'null', attributes: '{}', ...texts })).toBe(whole)
})

test('without a raw span there is nothing to fill', () => {
  expect(fillRawSpan('', { inputs: '{}', output: 'null', attributes: '{}' })).toBe('')
})

test('what only looks like a marker stays the same JSON value', () => {
  const texts = { inputs: '{"x":1}', output: '2', attributes: '{"y":3}' }
  const word = fc.oneof(fc.constantFrom('\0inputs', '\0output', '\0attributes', '"\0inputs"', '\\\0inputs'), fc.string())
  fc.assert(
    fc.property(fc.dictionary(word, fc.oneof(word, fc.array(word))), (value) => {
      const otel = JSON.stringify(value)
      for (const stored of [withoutMarkers(otel), sourceWithoutMarkers(Buffer.from(otel)).toString()]) {
        expect(JSON.parse(stored)).toEqual(value)
        expect(fillRawSpan(stored, texts)).toBe(stored)
      }
    }),
    { numRuns: 1_000 },
  )
})
