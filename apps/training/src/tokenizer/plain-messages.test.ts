import { JsonNumber } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import { type SentMessage, toPlainMessages } from './plain-messages.ts'

const calling = (given: unknown): SentMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'now', ...(given === undefined ? {} : { arguments: given }) } }],
})
const argumentsOf = (given: unknown) => {
  const { tool_calls: calls } = toPlainMessages([calling(given)])[0]!
  return (calls as { function: { arguments: unknown } }[])[0]!.function.arguments
}

describe('arguments of a call', () => {
  test.each([undefined, null, '', ' ', '{}'])('of %j are those of a call without any', (given) => {
    expect(argumentsOf(given)).toBe('{}')
  })

  test.each(['{"a": 1.0}', '{ "a" : [] }'])('stay as they were written: %s', (given) => {
    expect(argumentsOf(given)).toBe(given)
  })

  test('may be an object', () => {
    expect(argumentsOf({ a: 1 })).toEqual({ a: 1 })
  })

  test.each<[unknown, string]>([
    ['{"city":"Os', 'message 0 calls "now" with the arguments "{\\"city\\":\\"Os"; they must be a JSON object'],
    [JSON.stringify(JSON.stringify({ city: 'Oslo' })), 'they are JSON within a JSON text; write them once'],
    ['null', 'must be a JSON object'],
    ['[1]', 'must be a JSON object'],
    [7, 'with the arguments 7; they must'],
    [[], 'must be a JSON object'],
    ['now', 'must be a JSON object'],
  ])('that are %j are refused', (given, message) => {
    expect(() => toPlainMessages([calling(given)])).toThrow(message)
  })

  test('that are a number are refused, with the number as it was sent', () => {
    expect(() => toPlainMessages([calling(new JsonNumber('1.0'))])).toThrow('with the arguments 1.0; they must be a JSON object')
  })
})

test('an older call of a function is a call of a tool, and its result that of the tool', () => {
  const messages = toPlainMessages([
    { role: 'user', content: 'q' },
    { role: 'assistant', content: null, function_call: { name: 'now', arguments: '' }, tool_calls: null },
    { role: 'function', name: 'now', content: '10:00' },
  ])
  expect(messages.slice(1)).toEqual([
    { role: 'assistant', content: '', tool_calls: [{ id: 'call00001', type: 'function', function: { name: 'now', arguments: '{}' } }] },
    { role: 'tool', name: 'now', tool_call_id: 'call00001', content: '10:00' },
  ])
})

test.each<[SentMessage, string]>([
  [{ role: 'assistant', content: null, refusal: 'I cannot.' }, 'I cannot.'],
  [{ role: 'assistant', content: 'Yes.', refusal: null }, 'Yes.'],
  [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, 'No.'],
  [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    'a\nb',
  ],
  [{ role: 'user' }, ''],
])('the text of %j is %j', (message, content) => {
  expect(toPlainMessages([message])).toEqual([{ role: message.role, content }])
})

test.each<[SentMessage, string]>([
  [{ role: 'assistant', content: 'a', refusal: 'b' }, 'message 0 has both content and a `refusal`'],
  [{ role: 'assistant', refusal: 1 }, 'has a `refusal` that is not text'],
  [{ role: 'assistant', content: null, audio: { id: 'a' } }, 'message 0 has `audio`, which is not text'],
  [{ role: 'user', content: [{ type: 'image_url' }] }, 'has content of type "image_url", which is not text'],
  [{ role: 'user', content: ['a'] }, 'has content of type null, which is not text'],
  [{ role: 'user', content: 5 }, 'has content that is neither text nor a list of parts'],
  [{ ...calling('{}'), function_call: { name: 'now' } }, 'has both `tool_calls` and a `function_call`'],
  [{ role: 'assistant', tool_calls: ['now'] }, 'has a tool call that is not an object'],
  [{ role: 'assistant', tool_calls: [{ function: { arguments: '{}' } }] }, 'has a tool call without the name of a function'],
  [{ role: 'assistant', tool_calls: {} }, 'has `tool_calls` that are not a list'],
])('%j is refused by its name', (message, error) => {
  expect(() => toPlainMessages([message])).toThrow(error)
})

test('plain messages come out as they are', () => {
  const messages = toPlainMessages([calling(null), { role: 'assistant', refusal: 'no' }, { role: 'tool', tool_call_id: 'c', content: '1' }])
  expect(toPlainMessages(messages)).toEqual(messages)
})
