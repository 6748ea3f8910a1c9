import { expect, test } from 'vitest'
import type { Call } from '@heddle/core-api/types'
import { parseExactJson } from '@heddle/json/exact'
import { textOfMessages, textsOfCall } from './texts-of-call.ts'

const textsOf = (json: string) => textsOfCall(parseExactJson(json) as Call)

test('messages are read as one line: their texts, and tools by their names', () =>
  expect(
    textOfMessages([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'Let me\nlook.' },
          { type: 'tool_call', name: 'find', arguments: {} },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_result', result: 'much' }] },
    ]),
  ).toBe('Let me look. find(…)'))

test.each([
  [
    'the last message of a conversation, and the answer',
    '{"inputs":{"messages":[{"role":"system","content":"Be short."},{"role":"user","content":"Why?"}]},"output":{"choices":[{"message":{"role":"assistant","content":"Because"}}]}}',
    { input: 'Why?', output: 'Because' },
  ],
  [
    'messages of the attributes, where inputs hold none',
    '{"inputs":{},"output":null,"attributes":{"otel_span":{"attributes":{"gen_ai":{"input":{"messages":[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]}}}}}}',
    { input: 'Hi', output: '' },
  ],
  ['a single text without its name', '{"inputs":{"question":"Where?"},"output":"Here"}', { input: 'Where?', output: 'Here' }],
  [
    'few members by their names and other values as JSON, with numbers as they were sent',
    '{"inputs":{"user":1234567890123456789,"share":1.0},"output":[1e3]}',
    { input: 'user: 1234567890123456789 · share: 1.0', output: '[1e3]' },
  ],
  ['nothing where there is nothing', '{"inputs":{},"output":null}', { input: '', output: '' }],
])('a row shows %s', (_, call, texts) => expect(textsOf(call)).toMatchObject(texts))

test('a row knows whether a person said its input and a model its output', () => {
  const state = '{"inputs":{"state":{"steps":"any text"}},"output":"StopEvent(result=AgentOutput(response=1))"}'
  expect(textsOf(state).isSpoken).toEqual({ input: false, output: false })
  expect(textsOf('{"inputs":{"question":"Where?"},"output":"Here"}').isSpoken).toEqual({ input: true, output: true })
})
