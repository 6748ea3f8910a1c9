import { expect, test } from 'vitest'
import { readConversation } from './read-conversation.ts'
import { toChatMessages } from './to-chat-messages.ts'

test('a chat completion is written as it was read', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        { type: 'text', text: 'What is it?' },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'x' },
    { role: 'assistant', content: 'An x.', reasoning_content: 'Hm.' },
    { role: 'assistant', content: null, refusal: 'No.' },
  ]
  expect(toChatMessages(readConversation({ inputs: { messages } }).input)).toEqual(messages)
})

test('texts are joined, and arguments that are values become JSON text', () => {
  const messages = [
    { role: 'user', content: ['a', { type: 'text', text: 'b' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: { a: 1 } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: { b: 2 } },
        { type: 'text', text: 'And now?' },
      ],
    },
  ]
  expect(toChatMessages(readConversation({ inputs: { messages } }).input)).toEqual([
    { role: 'user', content: 'a\nb' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: '{"b":2}' },
    { role: 'user', content: 'And now?' },
  ])
})

test('calls without ids get some, which their results name in the order of the calls', () => {
  const call = (city: string) => ({ functionCall: { name: 'find', args: { city } } })
  const result = (weather: string) => ({ functionResponse: { name: 'find', response: { result: weather } } })
  const contents = [
    { role: 'model', parts: [call('Ulm'), call('Oslo')] },
    { role: 'user', parts: [result('sun'), result('snow'), result('lost')] },
  ]
  expect(toChatMessages(readConversation({ inputs: { contents } }).input)).toMatchObject([
    { tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'sun' },
    { role: 'tool', tool_call_id: 'call_2', content: 'snow' },
    { role: 'tool', content: 'lost' },
  ])
})
