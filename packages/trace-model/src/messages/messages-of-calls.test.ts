import { expect, test } from 'vitest'
import { messagesOfCalls } from './messages-of-calls.ts'
import type { RecordedCall } from './read-conversation.ts'

const aCall = (id: string, call: RecordedCall) => ({ id, ...call })
const chat = { kind: 'llm' }
const asked = { callId: 'a', message: { role: 'user', content: 'Hi' } }
const answered = { callId: 'a', message: { role: 'assistant', content: 'Hello' } }

test.each<[string, RecordedCall]>([
  [
    'chat completions',
    {
      inputs: { messages: [{ role: 'user', content: 'Hi' }] },
      output: { choices: [{ message: { role: 'assistant', content: 'Hello' } }] },
    },
  ],
  [
    'parts of the semantic conventions',
    {
      inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }] },
      output: [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] }],
    },
  ],
  [
    'contents and candidates',
    {
      inputs: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      output: { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] },
    },
  ],
])('messages of %s are read', (_, call) => expect(messagesOfCalls([aCall('a', { attributes: chat, ...call })])).toEqual([asked, answered]))

test('what an agent is told and answers are messages, and what a later call repeats stands once', () => {
  const agent = aCall('a', { attributes: { kind: 'agent' }, inputs: { input: 'Hi' }, output: 'Hello' })
  const messages = [{ role: 'user', content: 'Hi' }]
  const model = aCall('b', { attributes: chat, inputs: { messages }, output: { role: 'assistant', content: 'Hello' } })
  expect(messagesOfCalls([agent, model])).toEqual([asked, answered])
})

test('calls of tools stay with the content of their message', () => {
  const tool_calls = [{ id: 'c', type: 'function', function: { name: 'search', arguments: '{}' } }]
  const output = { choices: [{ message: { role: 'assistant', content: null, tool_calls } }] }
  expect(messagesOfCalls([aCall('a', { attributes: chat, inputs: {}, output })])).toEqual([
    { callId: 'a', message: { role: 'assistant', content: null, tool_calls } },
  ])
})
