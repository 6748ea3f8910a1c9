import { stringifyJson } from '@heddle/json/exact'
import type { Message, MessagePart } from '@heddle/trace-model'
import { expect, test } from 'vitest'
import { chatOf, failureOf, structured } from './chat-of-messages.ts'

const call = (name: string, id?: string): MessagePart => ({ type: 'tool_call', ...(id && { id }), name, arguments: {} })
const result = (value: unknown, of: { id?: string; name?: string } = {}): MessagePart => ({ type: 'tool_result', ...of, result: value })
const said = (role: string, ...parts: MessagePart[]): Message => ({ role, parts })
const shown = (messages: readonly Message[]) =>
  chatOf(messages).map(({ place, parts }) => [place, parts.map(({ part, answer }) => [part.type, answer?.result])])

test('a result of a tool stands at its call, found by its id, and a message of nothing else is left out', () => {
  const messages = [
    said('user', { type: 'text', text: 'Why?' }),
    said('assistant', call('find', 'a'), call('find', 'b')),
    said('tool', result('second', { id: 'b', name: 'find' })),
    said('tool', result('first', { id: 'a', name: 'find' })),
    said('assistant', { type: 'text', text: 'So.' }),
  ]
  expect(shown(messages)).toEqual([
    [0, [['text', undefined]]],
    [
      1,
      [
        ['tool_call', 'first'],
        ['tool_call', 'second'],
      ],
    ],
    [4, [['text', undefined]]],
  ])
})

test('a result without an id is of the first open call of its tool', () => {
  const messages = [
    said('assistant', call('find'), call('read'), call('find')),
    said('tool', result(1, { name: 'find' }), result(2, { name: 'find' })),
  ]
  expect(shown(messages)).toEqual([
    [
      0,
      [
        ['tool_call', 1],
        ['tool_call', undefined],
        ['tool_call', 2],
      ],
    ],
  ])
})

test('a result whose call is not among the messages, or comes later, stays where it is', () => {
  const messages = [said('tool', result('early', { id: 'a' }), result('of nobody')), said('assistant', call('find', 'a'))]
  expect(shown(messages)).toEqual([
    [
      0,
      [
        ['tool_result', undefined],
        ['tool_result', undefined],
      ],
    ],
    [1, [['tool_call', undefined]]],
  ])
})

test('a message without parts stays', () => expect(shown([said('user')])).toEqual([[0, []]]))

test.each([
  ['{"id":9007199254740993,"share":1.0}', '{"id":9007199254740993,"share":1.0}'],
  [' [1]', '[1]'],
  ['{broken', '"{broken"'],
  ['12', '"12"'],
])('a text of JSON is read with its exact numbers, any other stays a text: %s', (text, read) =>
  expect(stringifyJson(structured(text))).toBe(read),
)

test.each([
  [{ error: 'timed out' }, 'timed out'],
  [{ error: { message: 'timed out' } }, 'timed out'],
  [{ is_error: true, content: 'no such file' }, 'no such file'],
  [{ isError: true, content: 'no such file' }, 'no such file'],
  [{ error: '' }, undefined],
  [{ error: null, content: 'fine' }, undefined],
  ['error', undefined],
  [null, undefined],
])('a result says that its tool failed: %j', (value, error) => expect(failureOf(value)).toBe(error))
