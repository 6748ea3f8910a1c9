import { JsonNumber } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import { toChatMessages } from './to-chat-messages.ts'

type Given = Parameters<typeof toChatMessages>[1][number]
const text = (of: string) => ({ type: 'text', text: of })

describe('a message becomes', () => {
  test.each<[string, Given, object[]]>([
    ['its text', { role: 'user', content: 'hi' }, [{ role: 'user', content: 'hi' }]],
    ['the text of its only block', { role: 'user', content: [text('hi')] }, [{ role: 'user', content: 'hi' }]],
    [
      'its blocks of text, without their cache fields',
      { role: 'user', content: [text('a'), { ...text('b'), cache_control: { type: 'ephemeral' } }] },
      [{ role: 'user', content: [text('a'), text('b')] }],
    ],
    ['an empty message where it has no block', { role: 'user', content: [] }, [{ role: 'user', content: '' }]],
    [
      'a message for each result of a tool, in order with the texts',
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '1' },
          { type: 'tool_result', tool_use_id: 'b', content: [text('2')], is_error: true },
          text('go on'),
        ],
      },
      [
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        { role: 'user', content: 'go on' },
      ],
    ],
    [
      'an empty result where the tool said nothing',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] },
      [{ role: 'tool', tool_call_id: 'a', content: '' }],
    ],
    [
      'one turn with its reasoning, text and calls, whose numbers stay as they are',
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: '' },
          text('a'),
          { type: 'tool_use', id: 'c', name: 'add', input: { a: new JsonNumber('1.0') } },
          text('b'),
        ],
      },
      [
        {
          role: 'assistant',
          content: 'ab',
          reasoning: 'hm',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1.0}' } }],
        },
      ],
    ],
    ['an instruction in the conversation', { role: 'system', content: 'be brief' }, [{ role: 'system', content: 'be brief' }]],
  ])('%s', (_what, given, expected) => {
    expect(toChatMessages(null, [given])).toEqual(expected)
  })
})

test.each<[string | Record<string, unknown>[], unknown]>([
  ['be brief', 'be brief'],
  [
    [text('be'), text('brief')],
    [text('be'), text('brief')],
  ],
])('the system prompt %j is the first message', (system, content) => {
  expect(toChatMessages(system, [{ role: 'user', content: 'hi' }])).toEqual([
    { role: 'system', content },
    { role: 'user', content: 'hi' },
  ])
})

test('an empty system prompt is none', () => {
  expect(toChatMessages('', [])).toEqual([])
})

describe('refused by name', () => {
  test.each<[string, Given, string]>([
    [
      'an image',
      { role: 'user', content: [text('see'), { type: 'image', source: {} }] },
      'messages[0].content[1].type is "image", which models here cannot read; blocks of "text" and "tool_result" are possible here',
    ],
    [
      'an image in the result of a tool',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image' }] }] },
      'messages[0].content[0].content[0].type is "image", which models here cannot read; blocks of "text" are possible here',
    ],
    [
      'encrypted reasoning',
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] },
      'messages[0].content[0].type is "redacted_thinking", which models here cannot read; blocks of "text", "thinking" and "tool_use" are possible here',
    ],
    [
      'a block without a type',
      { role: 'user', content: [{}] },
      'messages[0].content[0].type is missing; blocks of "text" and "tool_result" are possible here',
    ],
    ['a block of text without its text', { role: 'user', content: [{ type: 'text' }] }, 'messages[0].content[0].text must be a string'],
    [
      'a result that names no call',
      { role: 'user', content: [{ type: 'tool_result' }] },
      'messages[0].content[0].tool_use_id is missing; it is the id of the call that this is the result of',
    ],
    [
      'a call without its arguments',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'add', input: 'x' }] },
      'messages[0].content[0].input is missing; it is an object with the arguments of the call',
    ],
  ])('%s', (_what, given, message) => {
    expect(() => toChatMessages(null, [given])).toThrow(message)
  })
})
