import fc from 'fast-check'
import { trials } from '@heddle/testing'
import { expect, test } from 'vitest'
import { parseObject } from '../json-values.ts'
import { createChatStreamReader } from './chat-stream-reader.ts'
import { createChunkReader } from './chat-stream.ts'

/** What the same chunks come to when each is read by itself. */
function readOneByOne(events: readonly string[]) {
  const reader = createChunkReader()
  for (const event of events) {
    const chunk = parseObject(event)
    if (chunk) reader.add(chunk)
  }
  return reader.completion()
}

function readTogether(events: readonly string[]) {
  const reader = createChatStreamReader()
  for (const event of events) reader.add(event)
  return reader.completion()
}

const token = fc.oneof(
  fc.constantFrom('"', '\\', '\\"', ']},', '"},"logprobs":{"content":[', ' the', '\n', 'é𝕏', '\ud83d', ''),
  fc.string({ maxLength: 4 }),
)
const entry = (text: string, logprob: number) => ({ token: text, logprob, bytes: [...Buffer.from(text)], top_logprobs: [{ token: text }] })
/** Chunks of one server: the same fields, most of the time. */
const form = fc.record({
  text: fc.constantFrom('content', 'reasoning'),
  logprobs: fc.constantFrom('entries', 'entries and refusal', 'null', 'none'),
  hasTokens: fc.boolean(),
  hasPadding: fc.boolean(),
  role: fc.boolean(),
  spaces: fc.constantFrom(0, 1),
})
const piece = fc.record({
  text: token,
  logprob: fc.double({ min: -20, max: 0, noNaN: true }),
  more: fc.boolean(),
  index: fc.constantFrom(0, 0, 0, 0, 1),
  other: fc.constantFrom(
    ...Array.from({ length: 8 }, () => 'text'),
    'tool',
    'end',
    'two',
    'both texts',
    'usage',
    'refused',
    'no list',
    'broken',
    'cut',
  ),
})
type Form = typeof form extends fc.Arbitrary<infer T> ? T : never
type Piece = typeof piece extends fc.Arbitrary<infer T> ? T : never

function chunkOf(how: Form, { text, logprob, more, index, other }: Piece): object {
  const entries = [entry(text, logprob), ...(more ? [entry('more', -1)] : [])]
  const lists = { entries: { content: entries }, 'entries and refusal': { content: entries, refusal: null }, null: null, none: undefined }
  const choice = {
    index,
    delta: { ...(how.role && { role: 'assistant' }), [how.text]: text, ...(other === 'both texts' && { content: 'x', reasoning: 'y' }) },
    logprobs: other === 'refused' ? { content: entries, refusal: entries } : other === 'no list' ? { content: {} } : lists[how.logprobs],
    finish_reason: other === 'end' ? 'stop' : null,
    ...(how.hasTokens && { token_ids: [text.length, ...(more ? [7] : [])] }),
  }
  const call = { index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: text } }] }, finish_reason: null }
  const choices = { tool: [call], two: [choice, { ...choice, index: 1 }], usage: [] }[other] ?? [choice]
  return { id: 'c', model: 'm', choices, ...(how.hasPadding && { obfuscation: 'x'.repeat(text.length) }) }
}

function textOf(how: Form, one: Piece): string {
  const text = JSON.stringify(chunkOf(how, one), null, how.spaces)
  if (one.other === 'broken') return text.replace('[', '[[')
  return one.other === 'cut' ? text.slice(0, -1) : text
}

test('the chunks of a stream come to what they do when each is read by itself, whatever their form', () => {
  fc.assert(
    fc.property(form, fc.array(piece, { maxLength: 30 }), fc.boolean(), (how, pieces, isEnded) => {
      const events = [...pieces.map((one) => textOf(how, one)), ...(isEnded ? ['[DONE]'] : [])]
      expect(readTogether(events)).toEqual(readOneByOne(events))
    }),
    { numRuns: trials({ usual: 300, long: 20_000 }) },
  )
})

const long = (count: number, end: (place: number) => string = () => ']},"finish_reason":null}]}') =>
  Array.from(
    { length: count },
    (_, index) =>
      `{"id":"c","choices":[{"index":0,"delta":{"content":"t${index}"},"logprobs":{"content":[{"token":"t${index}"}${end(index)}`,
  )

test.each([
  ['more than are held at once', long(700)],
  [
    'that are JSON only when put together',
    long(4, (place) => (place === 1 ? ',{"x":[1]},"finish_reason":null}]}' : ']},"finish_reason":null}]}')),
  ],
  [
    'one of which ends in another way',
    long(9, (place) => (place === 5 ? '],"refusal":[{}]},"finish_reason":"stop"}]}' : ']},"finish_reason":null}]}')),
  ],
  ['of a server that changes a field each time', long(40, (place) => `]},"finish_reason":null}],"took":${place}}`)],
  ['whose field stands twice', Array.from({ length: 3 }, (_, n) => `{"choices":[{"index":0,"delta":{"content":"a${n}","content":"b"}}]}`)],
  ['that are not objects', ['null', '[]', '1', '"x"', '[DONE]']],
])('chunks %s are read as each by itself', (_, events) => {
  expect(readTogether(events)).toEqual(readOneByOne(events))
})

test.each([
  ['id and name are empty later', { index: 0 }, { index: 0, id: '', function: { name: '', arguments: '{"city":"Oslo"}' } }],
  ['the index begins with 1', { index: 1 }, { index: 1, function: { arguments: '{"city":"Oslo"}' } }],
  ['there is no index', {}, { function: { arguments: '{"city":"Oslo"}' } }],
])('a call of which %s is one call', (_, place, further) => {
  const begun = { ...place, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }
  const chunk = (delta: object, finish_reason: string | null = null) => JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })
  const completion = readTogether([chunk({ tool_calls: [begun] }), chunk({ tool_calls: [further] }), chunk({}, 'tool_calls')])
  expect('choices' in completion && completion.choices[0]?.message['tool_calls']).toEqual([
    { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
  ])
})
