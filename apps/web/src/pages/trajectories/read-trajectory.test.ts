import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHistories } from './read-trajectory.ts'

test('histories are apart, calls of tools have their arguments, and results the name of their tool', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Weather?' }], trainable: false, history: 0 },
    { role: 'assistant', content: null, tool_calls: [call], trainable: true, history: 0, finish_reason: 'tool_calls' },
    { role: 'tool', content: 'snow', tool_call_id: 'c1', trainable: false, history: 0 },
    {
      role: 'assistant',
      content: 'It',
      trainable: true,
      history: 1,
      finish_reason: 'length',
      sampled_tokens: [
        { token: 'It', logprob: -1 },
        { token: '.', logprob: null },
      ],
    },
  ]
  const [first, second] = readHistories({ messages })
  expect(first).toMatchObject([
    { role: 'user', text: 'Weather?', isSampled: false },
    { calls: [{ name: 'get_weather', text: '{"city":"Oslo"}' }], isSampled: true, isCut: false },
    { role: 'tool', text: 'snow', resultOf: 'get_weather' },
  ])
  expect(second).toMatchObject([
    {
      isCut: true,
      tokens: [
        { token: 'It', logprob: -1 },
        { token: '.', logprob: null },
      ],
    },
  ])
})

test('no message breaks the reading', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom('role', 'content', 'tool_calls', 'sampled_tokens', 'history'), fc.jsonValue())),
      (messages) => {
        expect(readHistories({ messages }).flat()).toHaveLength(messages.length)
      },
    ),
  )
})
