import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillRawSpan, rawSpanMarkers, shareRawSpan, sharesColumn } from './raw-span-text.ts'

const messages = [{ role: 'user', content: 'a question that is long enough to be worth a marker in the raw span' }]
const answer = [{ role: 'assistant', content: 'an answer that is long enough to be worth a marker in the raw span' }]

test('messages that are inputs and output are stored once', () => {
  const texts = {
    inputs: JSON.stringify({ 'gen_ai.input.messages': messages }),
    output: JSON.stringify({ 'gen_ai.output.messages': answer }),
    attributes: '{}',
  }
  const otel = JSON.stringify({ name: 'chat', attributes: { gen_ai: { input: { messages }, output: { messages: answer } } } })
  const stored = shareRawSpan(otel, texts)
  expect(stored).toBe(
    `{"name":"chat","attributes":{"gen_ai":{"input":{"messages":${rawSpanMarkers.inputs}},"output":{"messages":${rawSpanMarkers.output}}}}}`,
  )
  expect(fillRawSpan(stored, texts)).toBe(otel)
})

test('an output that is a bare text is stored once', () => {
  const output = JSON.stringify('an answer that is long enough to be worth a marker in the raw span')
  const texts = { inputs: '{}', output, attributes: '{}' }
  const otel = `{"attributes":{"output":${output}}}`
  expect(fillRawSpan(shareRawSpan(otel, texts), texts)).toBe(otel)
  expect(sharesColumn(shareRawSpan(otel, texts), 'output')).toBe(true)
})

test('attributes of a plain span are stored once', () => {
  const attributes = JSON.stringify({ http: { method: 'GET', target: '/a/long/enough/path?with=a&query=that&goes=on' } })
  const texts = { inputs: '{}', output: '{}', attributes }
  const otel = `{"name":"GET","attributes":${attributes},"events":[]}`
  expect(shareRawSpan(otel, texts)).toBe(`{"name":"GET","attributes":${rawSpanMarkers.attributes},"events":[]}`)
  expect(fillRawSpan(shareRawSpan(otel, texts), texts)).toBe(otel)
})

test('a part inside a longer text stays', () => {
  const numbers = `[${Array.from({ length: 50 }, (_, index) => index).join(',')}]`
  const otel = JSON.stringify({ attributes: { note: `before ${numbers} after` } })
  expect(shareRawSpan(otel, { inputs: `{"x":${numbers}}`, output: '{}', attributes: '{}' })).toBe(otel)
})

test('without a raw span there is nothing to share or fill', () => {
  const texts = { inputs: '{}', output: 'null', attributes: '{}' }
  expect(shareRawSpan('', texts)).toBe('')
  expect(fillRawSpan('', texts)).toBe('')
})

test('whatever a span holds comes back as the same JSON value, and what is stored is JSON', () => {
  const markers = fc.constantFrom('\0inputs', '\0output', '\0attributes', '"\0inputs', 'weave')
  const long = fc.constantFrom(
    'x'.repeat(80),
    `"${'quoted'.repeat(20)}"`,
    ...Object.values(rawSpanMarkers).map((marker) => marker.repeat(9)),
  )
  const value = fc.oneof(
    fc.jsonValue(),
    markers,
    long,
    fc.dictionary(fc.oneof(fc.string(), markers), fc.oneof(markers, long), { maxKeys: 4 }),
  )
  fc.assert(
    fc.property(value, value, fc.dictionary(fc.string(), value, { maxKeys: 3 }), value, (input, output, attributes, other) => {
      const texts = { inputs: JSON.stringify({ in: input }), output: JSON.stringify(output), attributes: JSON.stringify(attributes) }
      const otel = JSON.stringify({ name: 'n', attributes: { input, output, other, all: attributes }, resource: other })
      const stored = shareRawSpan(otel, texts)
      expect(() => JSON.parse(stored) as unknown).not.toThrow()
      expect(JSON.parse(fillRawSpan(stored, texts))).toEqual(JSON.parse(otel))
    }),
    { numRuns: 2_000 },
  )
})
