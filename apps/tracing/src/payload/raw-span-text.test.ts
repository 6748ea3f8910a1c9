import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillRawSpan, rawSpanMarkers, sourceWithoutMarkers, withoutMarkers } from './raw-span-text.ts'

const { inputs, output, attributes, context, place, response_id, input_tokens, output_tokens } = rawSpanMarkers
const call = {
  id: '1234567890abcdef',
  trace_id: '0123456789abcdef0123456789abcdef',
  parent_id: '',
  started_at: 1_767_225_600_000_000,
  ended_at: 1_767_225_601_250_000,
  inputs: '{}',
  output: 'null',
  attributes: '{}',
  summary: '{}',
}

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
  [
    'the ids of the call',
    `{"context":${context}}`,
    {},
    '{"context":{"trace_id":"0123456789abcdef0123456789abcdef","span_id":"1234567890abcdef","trace_state":""}}',
  ],
  [
    'its times, where it has no parent',
    `{"parent_id":${place}}`,
    {},
    '{"parent_id":null,"start_time":"2026-01-01T00:00:00","end_time":"2026-01-01T00:00:01.250000"}',
  ],
  [
    'its parent and times',
    `{"parent_id":${place}}`,
    { parent_id: 'aaaaaaaaaaaaaaaa' },
    '{"parent_id":"aaaaaaaaaaaaaaaa","start_time":"2026-01-01T00:00:00","end_time":"2026-01-01T00:00:01.250000"}',
  ],
  ['the id of the response', `{"id":${response_id}}`, { attributes: '{"system":"a","response_id":"r-1","x":2}' }, '{"id":"r-1"}'],
  [
    'counts of tokens',
    `{"input_tokens":${input_tokens},"output_tokens":${output_tokens}}`,
    { summary: '{"usage":{"a":{"cache_read_input_tokens":1,"output_tokens":20,"input_tokens":-3}}}' },
    '{"input_tokens":-3,"output_tokens":20}',
  ],
])('a marker represents %s', (_name, stored, texts, whole) => {
  expect(fillRawSpan(stored, { ...call, ...texts })).toBe(whole)
})

test('without a raw span there is nothing to fill', () => {
  expect(fillRawSpan('', call)).toBe('')
})

test('what only looks like a marker stays the same JSON value', () => {
  const texts = { ...call, inputs: '{"x":1}', output: '2', attributes: '{"y":3}' }
  const word = fc.oneof(
    fc.constantFrom(
      '\0inputs',
      '\0output',
      '\0attributes',
      '\0context',
      '\0place',
      '\0response_id',
      '\0input_tokens',
      '"\0inputs"',
      '\\\0inputs',
    ),
    fc.string(),
  )
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
