import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessages } from './read-messages.ts'

test('messages of a request and of its choices stand in one conversation', () => {
  const inputs = {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ],
  }
  const output = { choices: [{ message: { role: 'assistant', content: null, tool_calls: [{ function: { name: 'find' } }] } }] }
  expect(readMessages(inputs, output)).toEqual([
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'tool call {"name":"find"}' },
  ])
})

test('a tool call reads like a call', () => {
  const tool_calls = [{ function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }]
  expect(readMessages({ messages: [{ role: 'assistant', content: null, tool_calls }] }, null)).toEqual([
    { role: 'assistant', text: 'calls get_weather({"city":"Oslo"})' },
  ])
})

test('parts of messages as spans have them are read', () => {
  const inputs = { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }] }
  expect(readMessages(inputs, null)).toEqual([{ role: 'user', text: 'Hi' }])
})

test('an answer of a tool names the tool that it answers, and thinking stands apart', () => {
  const asked = [
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Which city?',
      tool_calls: [{ id: 'c1', function: { name: 'find', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'Oslo' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'So it is.' },
        { type: 'tool_use', id: 'c2', name: 'look', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2', content: 'blue' }] },
  ]
  expect(readMessages({ messages: asked }, null)).toEqual([
    { role: 'assistant', text: 'calls find({})', thinking: 'Which city?' },
    { role: 'tool', text: 'Oslo', tool: 'find' },
    { role: 'assistant', text: '{"type":"tool_use","id":"c2","name":"look","input":{}}', thinking: 'So it is.' },
    { role: 'user', text: 'blue', tool: 'look' },
  ])
})

test('a value that is not a conversation has no messages', () => {
  expect(readMessages({ question: 'x' }, 'text')).toEqual([])
})

test('no value breaks the reading', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (inputs, output) => {
      expect(Array.isArray(readMessages(inputs, output))).toBe(true)
    }),
  )
})
