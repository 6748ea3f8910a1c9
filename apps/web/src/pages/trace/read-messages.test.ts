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
